import { errorOf } from '../../../../sdk/client/errors.ts'
import { type Request, securityRequest } from '../../api/action.ts'
import type { NewRemoteSetting, RemoteSetting, RemoteSettingPatch } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { protectedTexts } from '../../text/protected.ts'
import { accessFields, levelOf, type Protected } from './protected-parts.tsx'

/** The area of settings in keys of queries. */
export const AREA = 'remoteSettings'

const TYPES = ['boolean', 'integer', 'number', 'string', 'json'] as const
type Type = RemoteSetting['type']

export const readSetting = async ({ security }: StoreContext, id: number) =>
  (await security.remoteSettings.get(id)).remote_setting

/** A value as the form shows it: text as it is, all else as JSON. */
export function textOf(type: Type, value: unknown): string {
  if (value === null && type !== 'json') return ''
  if (type === 'string') return String(value)
  return JSON.stringify(value, null, 2)
}

const BOOLEANS = [
  { value: 'true', label: protectedTexts.isTrue },
  { value: 'false', label: protectedTexts.isFalse },
]
const isBoolean = ({ type }: Typed) => type === 'boolean'

export const settingFields = (of?: RemoteSetting): readonly Field[] => [
  {
    name: 'key',
    label: protectedTexts.key,
    required: true,
    value: of?.key,
    help: protectedTexts.keyHelp,
  },
  {
    name: 'type',
    label: protectedTexts.type,
    type: 'select',
    required: true,
    value: of?.type ?? 'boolean',
    options: TYPES.map((value) => ({ value, label: protectedTexts[value] })),
  },
  {
    name: 'choice',
    label: protectedTexts.value,
    type: 'select',
    required: true,
    value: of?.type === 'boolean' ? String(of.value) : 'false',
    options: BOOLEANS,
    when: isBoolean,
  },
  {
    name: 'value',
    label: protectedTexts.value,
    type: 'textarea',
    value: of && of.type !== 'boolean' ? textOf(of.type, of.value) : '',
    when: (typed) => !isBoolean(typed),
  },
  {
    name: 'default_value',
    label: protectedTexts.fallback,
    value: of && of.default_value !== null ? textOf(of.type, of.default_value) : '',
  },
  ...accessFields(of),
  {
    name: 'constraints',
    label: protectedTexts.constraints,
    type: 'textarea',
    help: protectedTexts.constraintsHelp,
    value: of && Object.keys(of.constraints).length > 0 ? JSON.stringify(of.constraints) : '',
  },
  { name: 'description', label: protectedTexts.note, value: of?.description },
]

const refuse = (field: string, message: string) =>
  errorOf({
    operation: AREA,
    status: 422,
    code: 'VALIDATION_FAILED',
    message,
    details: { field, errors: [{ field, message }] } as never,
  })

/** Reads a typed text as a value of the type. Throws the refusal that stands under the field. */
function parsedValue(type: unknown, text: unknown, field: string): unknown {
  const typed = String(text ?? '')
  if (type === 'string') return typed
  try {
    return JSON.parse(typed)
  } catch {
    const isNumber = type === 'integer' || type === 'number'
    throw refuse(field, isNumber ? protectedTexts.notNumber : protectedTexts.notJson)
  }
}

const parsers: Record<string, (typed: Typed) => unknown> = {
  value: ({ type, value, choice }) =>
    type === 'boolean' ? choice === 'true' : parsedValue(type, value, 'value'),
  default_value: ({ type, default_value: text }) =>
    text === undefined ? null : parsedValue(type, text, 'default_value'),
  constraints: ({ constraints: text }) =>
    text === undefined ? {} : parsedValue('json', text, 'constraints'),
  min_level: ({ access, min_level }) => levelOf(access, min_level),
  description: ({ description }) => description ?? null,
}

/** The named fields as the API takes them, from what was typed. */
const bodyOf = (names: readonly string[], typed: Typed): Record<string, unknown> =>
  Object.fromEntries(
    names.map((name) => [name, parsers[name] ? parsers[name](typed) : typed[name]]),
  )

/** A request that is refused here if its text cannot be read, so that the form shows why. */
function orRefused(make: () => Request, blank: Request): Request {
  try {
    return make()
  } catch (error) {
    return { ...blank, send: () => Promise.reject(error) }
  }
}

const ALL = ['key', 'type', 'value', 'default_value', 'constraints', 'access', 'min_level']

export function createSetting({ app_id, ...typed }: Typed): Request {
  const create = (body: unknown) => securityRequest(AREA, 'create', body as NewRemoteSetting)
  const app = app_id === undefined ? {} : { app_id: Number(app_id) }
  return orRefused(() => create({ ...app, ...bodyOf([...ALL, 'description'], typed) }), create({}))
}

/** Fields that the API wants together: a value with its type, a level with its access. */
const TOGETHER: Record<string, readonly string[]> = {
  type: ['type', 'value', 'default_value'],
  choice: ['type', 'value'],
  value: ['type', 'value'],
  access: ['access', 'min_level'],
  min_level: ['access', 'min_level'],
}

export function updateSetting(of: RemoteSetting, changed: Typed): Request {
  const names = new Set(Object.keys(changed).flatMap((name) => TOGETHER[name] ?? [name]))
  const before = Object.fromEntries(settingFields(of).map(({ name, value }) => [name, value]))
  const typed: Typed = { ...before, ...changed }
  if (typed.default_value === '') typed.default_value = undefined
  if (typed.constraints === '') typed.constraints = undefined
  const update = (body: unknown) =>
    securityRequest(AREA, 'update', of.id, body as RemoteSettingPatch)
  return orRefused(() => update(bodyOf([...names], typed)), update({}))
}

export const switchSetting = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'update', id, { status })
