import { errorOf } from '../../../../sdk/client/errors.ts'
import { type Request, securityRequest } from '../../api/action.ts'
import type { RemoteSetting, RemoteSettingInput, RemoteSettingPatch } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { protectedTexts } from '../../text/protected.ts'
import {
  accessFields,
  levelOf,
  MASKED_VALUE,
  type Protected,
  readRevealed,
} from './protected-parts.tsx'

/** The area of settings in query keys. */
export const AREA = 'remoteSettings'

const TYPES = ['boolean', 'integer', 'number', 'string', 'json'] as const
type Type = RemoteSetting['type']

/** Reads a setting without its values. */
export const readSetting = async ({ security }: StoreContext, id: number) =>
  (await security.remoteSettings.get(id)).remote_setting

/** Reads a setting with its values, which is audited. */
export const revealSetting = async (store: StoreContext, id: number) =>
  (await readRevealed<{ remote_setting: RemoteSetting }>(store, `/remote-settings/${id}`))
    .remote_setting

/** A value as the form shows it: strings unchanged, other types as JSON. */
export function valueText(type: Type, value: unknown): string {
  if (value === MASKED_VALUE) return MASKED_VALUE
  if (value === null && type !== 'json') return ''
  if (type === 'string') return String(value)
  return JSON.stringify(value, null, 2)
}

const SHORT_LENGTH_MAX = 40

/** The value on one line, cut if it is long. */
export function shortValueText({ type, value }: Pick<RemoteSetting, 'type' | 'value'>): string {
  const text = valueText(type, value).replace(/\s+/g, ' ')
  return text.length > SHORT_LENGTH_MAX ? `${text.slice(0, SHORT_LENGTH_MAX)}…` : text
}

const BOOLEANS = [
  { value: 'true', label: protectedTexts.isTrue },
  { value: 'false', label: protectedTexts.isFalse },
]
const isBoolean = ({ type }: FormValues) => type === 'boolean'

export const settingFields = (setting?: RemoteSetting): readonly Field[] => [
  {
    name: 'key',
    label: protectedTexts.key,
    required: true,
    value: setting?.key,
    help: protectedTexts.keyHelp,
  },
  {
    name: 'type',
    label: protectedTexts.type,
    type: 'select',
    required: true,
    value: setting?.type ?? 'boolean',
    options: TYPES.map((value) => ({ value, label: protectedTexts[value] })),
  },
  {
    name: 'choice',
    label: protectedTexts.value,
    type: 'select',
    required: true,
    value: setting?.type === 'boolean' ? String(setting.value) : 'false',
    options: BOOLEANS,
    when: isBoolean,
  },
  {
    name: 'value',
    label: protectedTexts.value,
    type: 'textarea',
    value: setting && setting.type !== 'boolean' ? valueText(setting.type, setting.value) : '',
    when: (values) => !isBoolean(values),
  },
  {
    name: 'default_value',
    label: protectedTexts.fallback,
    type: 'textarea',
    value:
      setting && setting.default_value !== null
        ? valueText(setting.type, setting.default_value)
        : '',
  },
  ...accessFields(setting),
  {
    name: 'constraints',
    label: protectedTexts.constraints,
    type: 'textarea',
    help: protectedTexts.constraintsHelp,
    value:
      setting && Object.keys(setting.constraints).length > 0
        ? JSON.stringify(setting.constraints)
        : '',
  },
  { name: 'description', label: protectedTexts.note, value: setting?.description },
]

const refusalOf = (field: string, message: string) =>
  errorOf({
    operation: AREA,
    status: 422,
    code: 'VALIDATION_FAILED',
    message,
    details: { field, errors: [{ field, message }] } as never,
  })

/** Parses a typed text as a value of the type. Throws a refusal that is shown next to the field. */
function parsedValue(type: unknown, input: unknown, field: string): unknown {
  const text = String(input ?? '')
  if (type === 'string') return text
  let isExact = true
  const checkIsExact = (_: string, value: unknown) => {
    isExact &&= !Number.isInteger(value) || Number.isSafeInteger(value)
    return value
  }
  const parse = () => {
    try {
      return JSON.parse(text, checkIsExact) as unknown
    } catch {
      const isNumber = type === 'integer' || type === 'number'
      throw refusalOf(field, isNumber ? protectedTexts.notNumber : protectedTexts.notJson)
    }
  }
  const value = parse()
  if (type !== 'number' && !isExact) throw refusalOf(field, protectedTexts.notExact)
  return value
}

const PARSERS: Record<string, (values: FormValues) => unknown> = {
  value: ({ type, value, choice }) =>
    type === 'boolean' ? choice === 'true' : parsedValue(type, value, 'value'),
  default_value: ({ type, default_value: text }) =>
    text === undefined ? null : parsedValue(type, text, 'default_value'),
  constraints: ({ constraints: text }) =>
    text === undefined ? {} : parsedValue('json', text, 'constraints'),
  min_level: ({ access, min_level }) => levelOf(access, min_level),
  description: ({ description }) => description ?? null,
}

/** The request body of the named fields, from the typed values. */
const bodyOf = (names: readonly string[], values: FormValues): Record<string, unknown> =>
  Object.fromEntries(
    names.map((name) => [name, PARSERS[name] ? PARSERS[name](values) : values[name]]),
  )

/**
 * Returns the request of the form. If a text cannot be parsed, returns the blank request, which is refused when it is
 * sent, so that the form shows the reason.
 */
function requestOrRefusal(make: () => Request, blank: Request): Request {
  try {
    return make()
  } catch (error) {
    return { ...blank, send: () => Promise.reject(error) }
  }
}

const SETTING_FIELDS = [
  'key',
  'type',
  'value',
  'default_value',
  'constraints',
  'access',
  'min_level',
]

export function createSetting({ app_id, ...values }: FormValues): Request {
  const create = (body: unknown) => securityRequest(AREA, 'create', body as RemoteSettingInput)
  const app = app_id === undefined ? {} : { app_id: Number(app_id) }
  return requestOrRefusal(
    () => create({ ...app, ...bodyOf([...SETTING_FIELDS, 'description'], values) }),
    create({}),
  )
}

/** Fields that the API requires together: a value with its type, a level with its access. */
const REQUIRED_TOGETHER: Record<string, readonly string[]> = {
  type: ['type', 'value', 'default_value'],
  choice: ['type', 'value'],
  value: ['type', 'value'],
  access: ['access', 'min_level'],
  min_level: ['access', 'min_level'],
}

export function updateSetting(setting: RemoteSetting, changed: FormValues): Request {
  const names = new Set(Object.keys(changed).flatMap((name) => REQUIRED_TOGETHER[name] ?? [name]))
  const before = Object.fromEntries(settingFields(setting).map(({ name, value }) => [name, value]))
  const values: FormValues = { ...before, ...changed }
  if (values.default_value === '') values.default_value = undefined
  if (values.constraints === '') values.constraints = undefined
  const update = (body: unknown) =>
    securityRequest(AREA, 'update', setting.id, body as RemoteSettingPatch)
  return requestOrRefusal(() => update(bodyOf([...names], values)), update({}))
}

export const switchSetting = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'update', id, { status })
