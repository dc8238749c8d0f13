import { type Request, storeRequest } from '../api/action.ts'

interface Upload {
  /** The id of the record that the file belongs to. */
  id: string
  file: File | undefined
  /** Further fields, as text. */
  fields?: Record<string, string | number>
}

/** A request that uploads a file, such as a picture of a product. */
export function uploadRequest(area: 'media' | 'files', { id, file, fields = {} }: Upload): Request {
  const body = { file: file ?? new Blob(), ...fields }
  const { body: _, ...request } =
    area === 'media'
      ? storeRequest('media', 'create', id, body)
      : storeRequest('files', 'create', id, body)
  const formFields = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const shownArguments = ['file', ...Object.entries(fields).map((field) => field.join(': '))].join(
    ', ',
  )
  return {
    ...request,
    area: 'products',
    form: [`file=@${file?.name ?? 'file'}`, ...formFields],
    client: `tradepost.${area}.create(${JSON.stringify(id)}, { ${shownArguments} })`,
  }
}
