/** A body of multipart/form-data, and its type. */
export interface Form {
  raw: Buffer
  headers: { 'content-type': string }
}

const BOUNDARY = '----tradepost-test-4f9c1e'

export interface FormFile {
  bytes: Buffer
  name?: string
  type?: string
  field?: string
}

/** As a browser sends it: text fields, then files; then, as some programs do, more text fields. */
export function formOf(
  files: FormFile[],
  fields: Record<string, string> = {},
  behind: Record<string, string> = {},
): Form {
  const texts = (some: Record<string, string>) =>
    Object.entries(some).map(([name, value]) => part(`name="${name}"`, '', Buffer.from(value)))
  const parts = [
    ...texts(fields),
    ...files.map(({ bytes, name = 'a.bin', type = 'application/octet-stream', field = 'file' }) =>
      part(`name="${field}"; filename="${name}"`, `content-type: ${type}\r\n`, bytes),
    ),
    ...texts(behind),
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

/** Complete files of their kinds, as far as their first bytes show. */
export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(60, 7)])
export const GIF = Buffer.from(`GIF89a${'x'.repeat(40)}`)
export const MP4 = Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(40)}`)
