import type { ServersideFile } from '../../../../sdk/client-security/management/index.ts'
import { type Request, securityRequest } from '../../api/action.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { accessFields, levelOf, type Protected } from './protected-parts.tsx'

/** The area of files in keys of queries. */
export const AREA = 'serverside_files'
const PATH = '/serverside-files'

export async function readFile({ security }: StoreContext, id: string | number) {
  type Answer = { serverside_file: ServersideFile }
  return (await security<Answer>('GET', `${PATH}/${id}`)).serverside_file
}

export const contentPath = (id: number) => `${PATH}/${id}/content`

const fileField: Field = {
  name: 'file',
  label: protectedTexts.file,
  type: 'file',
  required: true,
}

const filenameField = (of?: ServersideFile): Field => ({
  name: 'filename',
  label: protectedTexts.filename,
  ...(of ? { value: of.filename, required: true } : { help: protectedTexts.filenameHelp }),
})

const nameField = (of?: ServersideFile): Field => ({
  name: 'name',
  label: common.name,
  required: true,
  value: of?.name,
  help: protectedTexts.nameHelp,
})

export const newFileFields: readonly Field[] = [
  fileField,
  nameField(),
  filenameField(),
  ...accessFields(),
  { name: 'is_on', label: protectedTexts.isOn, type: 'checkbox', value: true },
]

/** The file keeps its name. */
export const contentFields: readonly Field[] = [fileField]

export const fileFields = (of: ServersideFile): readonly Field[] => [
  nameField(of),
  filenameField(of),
  {
    name: 'content_type',
    label: protectedTexts.contentType,
    required: true,
    value: of.content_type,
  },
  ...accessFields(of),
]

/** A multipart request. The API wants its text fields before the file. */
function upload(method: 'POST' | 'PUT', path: string, { file, ...fields }: Typed): Request {
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)] as const)
  const name = file instanceof File ? file.name : 'file'
  return {
    ...securityRequest(AREA, method, path),
    form: [...texts.map(([field, value]) => `${field}=${value}`), `file=@${name}`],
    send(store) {
      const body = new FormData()
      for (const [field, value] of texts) body.append(field, value)
      body.append('file', file instanceof Blob ? file : new Blob(), name)
      return store.security(method, path, { body })
    },
  }
}

export const createFile = ({ is_on, min_level, ...values }: Typed): Request =>
  upload('POST', PATH, {
    ...values,
    min_level: levelOf(values.access, min_level),
    status: is_on === true ? 'active' : 'inactive',
  })

export const replaceContent = (id: number, values: Typed): Request =>
  upload('PUT', contentPath(id), values)

/** A level is sent with its access, because only licensed access may have one. */
export function updateFile(of: ServersideFile, changed: Typed): Request {
  const access = changed.access ?? of.access
  const hasLevel = 'access' in changed || 'min_level' in changed
  return securityRequest(AREA, 'PATCH', `${PATH}/${of.id}`, {
    ...changed,
    ...(hasLevel && { access, min_level: levelOf(access, changed.min_level ?? of.min_level) }),
  })
}

export const switchFile = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'PATCH', `${PATH}/${id}`, { status })

export const deleteFile = (id: number): Request => securityRequest(AREA, 'DELETE', `${PATH}/${id}`)
