import { type Request, securityRequest } from '../../api/action.ts'
import type { ServersideFile, ServersideFilesCreateBody } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { accessFields, levelOf, type Protected } from './protected-parts.tsx'

/** The area of files in keys of queries. */
export const AREA = 'serversideFiles'

export const readFile = async ({ security }: StoreContext, id: number) =>
  (await security.serversideFiles.get(id)).serverside_file

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

const fileOf = ({ file }: Typed): Blob => (file instanceof Blob ? file : new Blob())
const fileNameOf = ({ file }: Typed) => (file instanceof File ? file.name : 'file')

export function createFile({ file, is_on, min_level, ...rest }: Typed): Request {
  const texts = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    min_level: String(levelOf(rest.access, min_level)),
    status: is_on === true ? 'active' : 'inactive',
  }
  const body = { ...texts, file: fileOf({ file }) } as unknown as ServersideFilesCreateBody
  const { body: _, ...request } = securityRequest(AREA, 'create', body)
  const shown = Object.entries(texts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return {
    ...request,
    form: [
      ...Object.entries(texts).map(([name, value]) => `${name}=${value}`),
      `file=@${fileNameOf({ file })}`,
    ],
    client: `management.${AREA}.create({ ${['file', ...shown].join(', ')} })`,
  }
}

export function replaceContent(id: number, values: Typed): Request {
  const { body: _, ...request } = securityRequest(AREA, 'replaceContent', id, {
    file: fileOf(values),
  })
  return {
    ...request,
    form: [`file=@${fileNameOf(values)}`],
    client: `management.${AREA}.replaceContent(${id}, { file })`,
  }
}

/** A level is sent with its access, because only licensed access may have one. */
export function updateFile(of: ServersideFile, changed: Typed): Request {
  const access = changed.access ?? of.access
  const hasLevel = 'access' in changed || 'min_level' in changed
  return securityRequest(AREA, 'update', of.id, {
    ...changed,
    ...(hasLevel && {
      access: access as ServersideFile['access'],
      min_level: levelOf(access, changed.min_level ?? of.min_level),
    }),
  })
}

export const switchFile = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'update', id, { status })

export const deleteFile = (id: number): Request => securityRequest(AREA, 'delete', id)
