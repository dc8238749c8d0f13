import { type Request, securityRequest } from '../../api/action.ts'
import type { ServersideFile, ServersideFilesCreateBody } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { accessFields, levelOf, type Protected } from './protected-parts.tsx'

/** The area of files in query keys. */
export const AREA = 'serversideFiles'

export const readFile = async ({ security }: StoreContext, id: number) =>
  (await security.serversideFiles.get(id)).serverside_file

const fileField: Field = {
  name: 'file',
  label: protectedTexts.file,
  type: 'file',
  required: true,
}

const filenameField = (file?: ServersideFile): Field => ({
  name: 'filename',
  label: protectedTexts.filename,
  ...(file ? { value: file.filename, required: true } : { help: protectedTexts.filenameHelp }),
})

const nameField = (file?: ServersideFile): Field => ({
  name: 'name',
  maxLength: NAME_MAX,
  label: common.name,
  required: true,
  value: file?.name,
  help: protectedTexts.nameHelp,
})

export const newFileFields: readonly Field[] = [
  fileField,
  nameField(),
  filenameField(),
  ...accessFields(),
  { name: 'is_on', label: protectedTexts.isOn, type: 'checkbox', value: true },
]

/** The fields that replace the content. The name of the file is kept. */
export const contentFields: readonly Field[] = [fileField]

export const fileFields = (file: ServersideFile): readonly Field[] => [
  nameField(file),
  filenameField(file),
  {
    name: 'content_type',
    label: protectedTexts.contentType,
    required: true,
    value: file.content_type,
  },
  ...accessFields(file),
]

const fileOf = ({ file }: FormValues): Blob => (file instanceof Blob ? file : new Blob())
const fileNameOf = ({ file }: FormValues) => (file instanceof File ? file.name : 'file')

export function createFile({ file, is_on, min_level, ...rest }: FormValues): Request {
  const texts = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    min_level: String(levelOf(rest.access, min_level)),
    status: is_on === true ? 'active' : 'inactive',
  }
  const body = { ...texts, file: fileOf({ file }) } as unknown as ServersideFilesCreateBody
  const { body: _, ...request } = securityRequest(AREA, 'create', body)
  const shownArguments = Object.entries(texts).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  )
  return {
    ...request,
    form: [
      ...Object.entries(texts).map(([name, value]) => `${name}=${value}`),
      `file=@${fileNameOf({ file })}`,
    ],
    client: `management.${AREA}.create({ ${['file', ...shownArguments].join(', ')} })`,
  }
}

export function replaceContent(id: number, values: FormValues): Request {
  const { body: _, ...request } = securityRequest(AREA, 'replaceContent', id, {
    file: fileOf(values),
  })
  return {
    ...request,
    form: [`file=@${fileNameOf(values)}`],
    client: `management.${AREA}.replaceContent(${id}, { file })`,
  }
}

/**
 * Changes a file. A minimum level is sent together with the access, because only licensed access can
 * have one.
 */
export function updateFile(file: ServersideFile, changed: FormValues): Request {
  const access = changed.access ?? file.access
  const hasLevel = 'access' in changed || 'min_level' in changed
  return securityRequest(AREA, 'update', file.id, {
    ...changed,
    ...(hasLevel && {
      access: access as ServersideFile['access'],
      min_level: levelOf(access, changed.min_level ?? file.min_level),
    }),
  })
}

export const switchFile = (id: number, status: Protected['status']): Request =>
  securityRequest(AREA, 'update', id, { status })
