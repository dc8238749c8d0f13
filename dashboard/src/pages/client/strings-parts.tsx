import { type Request, securityRequest } from '../../api/action.ts'
import type { ServersideString, ServersideStringContent } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { accessFields, levelOf, type Protected, readRevealed } from './protected-parts.tsx'

/** The area of strings in query keys. */
export const AREA = 'serversideStrings'

/** Reads a string without its value. */
export const readString = async ({ security }: StoreContext, id: number) =>
  (await security.serversideStrings.get(id)).serverside_string

/** Reads a string with its value, which is audited. */
export const revealString = async (store: StoreContext, id: number) => {
  const answer = await readRevealed<{ serverside_string: ServersideString }>(
    store,
    `/serverside-strings/${id}`,
  )
  return answer.serverside_string
}

export const stringFields = (string?: ServersideString): readonly Field[] => [
  {
    name: 'name',
    maxLength: NAME_MAX,
    label: common.name,
    required: true,
    value: string?.name,
    help: protectedTexts.nameHelp,
  },
  {
    name: 'value',
    label: protectedTexts.value,
    type: 'textarea',
    required: true,
    value: string?.value,
  },
  ...accessFields(string),
  { name: 'description', label: protectedTexts.note, value: string?.description },
]

const contentOf = ({ name, value, access, min_level, description }: FormValues) =>
  ({
    name,
    value: value ?? '',
    access,
    min_level: levelOf(access, min_level),
    description: description ?? null,
  }) as ServersideStringContent

export const createString = ({ app_id, ...values }: FormValues): Request =>
  securityRequest(AREA, 'create', {
    ...(app_id !== undefined && { app_id: Number(app_id) }),
    ...contentOf(values),
  })

/**
 * Replaces a string. The API replaces the whole content, so unchanged fields are read first and
 * sent again.
 */
export function replaceString(string: ServersideString, changed: FormValues): Request {
  return {
    ...securityRequest(AREA, 'replace', string.id, contentOf({ ...string, ...changed })),
    send: async (store) => {
      const current = await revealString(store, string.id)
      return store.security[AREA].replace(string.id, contentOf({ ...current, ...changed }))
    },
  }
}

export const switchString = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'switch', id, { status })
