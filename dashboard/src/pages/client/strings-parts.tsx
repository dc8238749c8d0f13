import { type Request, securityRequest } from '../../api/action.ts'
import type { ServersideString, ServersideStringContent } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { accessFields, levelOf, type Protected } from './protected-parts.tsx'

/** The area of strings in keys of queries. */
export const AREA = 'serversideStrings'

export const readString = async ({ security }: StoreContext, id: number) =>
  (await security.serversideStrings.get(id)).serverside_string

export const stringFields = (of?: ServersideString): readonly Field[] => [
  {
    name: 'name',
    label: common.name,
    required: true,
    value: of?.name,
    help: protectedTexts.nameHelp,
  },
  {
    name: 'value',
    label: protectedTexts.value,
    type: 'textarea',
    required: true,
    value: of?.value,
  },
  ...accessFields(of),
  { name: 'description', label: protectedTexts.note, value: of?.description },
]

const contentOf = ({ name, value, access, min_level, description }: Typed) =>
  ({
    name,
    value: value ?? '',
    access,
    min_level: levelOf(access, min_level),
    description: description ?? null,
  }) as ServersideStringContent

export const createString = ({ app_id, ...values }: Typed): Request =>
  securityRequest(AREA, 'create', {
    ...(app_id !== undefined && { app_id: Number(app_id) }),
    ...contentOf(values),
  })

/** The API replaces the whole content, so fields that were not changed are read again before. */
export function replaceString(of: ServersideString, changed: Typed): Request {
  return {
    ...securityRequest(AREA, 'replace', of.id, contentOf({ ...of, ...changed })),
    send: async (store) => {
      const now = await readString(store, of.id)
      return store.security[AREA].replace(of.id, contentOf({ ...now, ...changed }))
    },
  }
}

export const switchString = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'switch', id, { status })

export const deleteString = (id: number): Request => securityRequest(AREA, 'delete', id)
