/** A body of the type multipart/form-data, and its header. */
export interface Form {
  raw: Buffer
  headers: { 'content-type': string }
}

const BOUNDARY = '----tradepost-test-4f9c1e'

interface FormFile {
  bytes: Buffer
  name?: string
  type?: string
  /** The name of the field. */
  field?: string
}

/** Returns a form as browsers send it: `fields`, files, and `trailingFields`. */
export function formOf(
  files: FormFile[],
  fields: Record<string, string> = {},
  trailingFields: Record<string, string> = {},
): Form {
  const textParts = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => part(`name="${name}"`, '', Buffer.from(value)))
  const parts = [
    ...textParts(fields),
    ...files.map(({ bytes, name = 'a.bin', type = 'application/octet-stream', field = 'file' }) =>
      part(`name="${field}"; filename="${name}"`, `content-type: ${type}\r\n`, bytes),
    ),
    ...textParts(trailingFields),
  ]
  return {
    raw: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

const part = (disposition: string, headers: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n${headers}\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])

// Only the first bytes of these files, which identify their type, are valid.
export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(60, 7)])
export const GIF = Buffer.from(`GIF89a${'x'.repeat(40)}`)
export const MP4 = Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(40)}`)
