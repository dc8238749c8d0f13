import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { invalid, Refusal, tooLarge } from '../kernel/errors.ts'
import type { ReceivedFile, Storage, UploadedFile } from '../storage/storage.ts'

/** A received upload. Its file is temporary. */
export interface Upload {
  file: UploadedFile
  fields: Record<string, string>
  /**
   * The digest that identifies a repeated call. The digest of a form does not depend on its boundary.
   */
  digest: Buffer
}

interface PendingUpload {
  stream: Readable
  file: Promise<UploadedFile>
}

const FILE_FIELD = 'file'
/** The limit of a form without its file: boundaries, headers, and a few short fields. */
const FORM_BYTES_MAX = 64 * 1024
const LIMITS = { files: 2, fields: 20, fieldSize: 4 * 1024, fieldNameSize: 100, headerPairs: 20 }

/** The parts of a request that an upload needs. */
interface UploadRequest {
  headers: IncomingHttpHeaders
  body: unknown
  query: unknown
}

/** Streams the bare bytes of a file to disk. The text fields are query parameters. */
export async function receiveBare(
  { headers, body, query }: UploadRequest,
  max_bytes: number,
  storage: Storage,
): Promise<Upload> {
  refuseLength(headers, { length_max: max_bytes, max_bytes })
  const receivedFile = await storage.receive(chunksOf(body), max_bytes)
  const digest = Buffer.from(receivedFile.sha256, 'hex')
  try {
    checkDigest(headers, digest)
  } catch (error) {
    await storage.discard(receivedFile)
    throw error
  }
  const fields = query as Record<string, string>
  const file = { ...receivedFile, name: fields.filename ?? fields.name ?? '', mime_type: BARE_TYPE }
  return { file, fields, digest }
}

const BARE_TYPE = 'application/octet-stream'

/** Iterates over a body without destroying it, so that the rest of a refused one can be dropped. */
const chunksOf = (body: unknown): AsyncIterable<Uint8Array> =>
  (body as Readable).iterator({ destroyOnReturn: false })

/** Refuses a body by its Content-Length, without reading it. The error names the limit of the file, `max_bytes`. */
function refuseLength(
  headers: IncomingHttpHeaders,
  { length_max, max_bytes }: { length_max: number; max_bytes: number },
): void {
  if (Number(headers['content-length'] ?? 0) > length_max) throw tooLarge(max_bytes)
}

/** Checks `Content-Digest: sha-256=:…:` (RFC 9530), so that corrupted bytes are not stored. */
function checkDigest(headers: IncomingHttpHeaders, digest: Buffer): void {
  const header = headers['content-digest']
  if (header === undefined) return
  const expected = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(String(header))?.[1]
  if (expected === undefined) {
    throw invalid('Content-Digest', 'Write sha-256=:<base64 of the SHA-256 of the body>:.')
  }
  if (expected === digest.toString('base64')) return
  throw invalid(
    'Content-Digest',
    'The body does not have this digest, because it changed in transit. Send it again.',
  )
}

/** Streams a form to disk in constant memory. A file over its limit is refused with PAYLOAD_TOO_LARGE. */
export async function receiveUpload(
  { headers, body }: UploadRequest,
  max_bytes: number,
  storage: Storage,
): Promise<Upload> {
  refuseLength(headers, { length_max: max_bytes + FORM_BYTES_MAX, max_bytes })
  const parser = openParser(headers)
  const abort = new AbortController()
  const hash = createHash('sha256')
  const form = collectParts(parser, (stream) => storage.receive(stream, max_bytes), abort)
  const countBytes = async function* (chunks: AsyncIterable<Uint8Array>) {
    let remaining = max_bytes + FORM_BYTES_MAX
    for await (const chunk of chunks) {
      remaining -= chunk.byteLength
      if (remaining < 0) throw tooLarge(max_bytes)
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(chunksOf(body), countBytes, parser, { signal: abort.signal })
    checkDigest(headers, hash.digest())
    return await form.end()
  } catch (error) {
    await form.drop(storage)
    throw asRefusal(abort.signal.reason ?? error)
  }
}

/** A part of a form. A repeated call must have the same parts, in any order (decision 122). */
interface FormPart {
  name: string
  file_name?: string
  type: string
  /** The hash of the content, in hex. */
  sha256: string
}

/**
 * Hashes the sorted parts. The bytes differ in a repeated call, because its boundary differs.
 */
function digestOf(parts: readonly FormPart[]): Buffer {
  const lines = parts.map(({ name, file_name, type, sha256 }) =>
    JSON.stringify([name, file_name ?? null, type, sha256]),
  )
  return createHash('sha256').update(lines.sort().join('\n')).digest()
}

const notAForm = () => invalid('body', 'The body is not valid multipart/form-data.')

/** Returns a refusal of storage as it is. Any other error means that the form is malformed. */
const asRefusal = (error: unknown): Refusal => (error instanceof Refusal ? error : notAForm())

function openParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS })
  } catch {
    throw notAForm()
  }
}

/** Collects the parts of a form. If the file cannot be stored, the upload is aborted. */
function collectParts(
  parser: BusboyInstance,
  receive: (stream: Readable) => Promise<ReceivedFile>,
  abort: AbortController,
) {
  const fields = new Map<string, string>()
  const parts: FormPart[] = []
  const faults: Refusal[] = []
  let pendingUpload: PendingUpload | undefined

  parser.on('file', (field: string | undefined, stream, ...[name, , mime_type]) => {
    // A truncated body emits an error on the stream, possibly after all other listeners were removed.
    stream.on('error', () => {})
    if (field !== FILE_FIELD || pendingUpload) {
      faults.push(invalid(field ?? 'body', `Send one file, in the field "${FILE_FIELD}".`))
      return void stream.resume()
    }
    const file = receive(stream).then((receivedFile) => ({
      ...receivedFile,
      name: name ?? '',
      mime_type,
    }))
    file.catch((error) => abort.abort(error))
    pendingUpload = { stream, file }
  })
  parser.on('field', (name: string | undefined, value, ...[isNameCut, isValueCut, , type]) => {
    if (name === undefined)
      return void faults.push(invalid('body', 'Give each part of the form a name.'))
    if (isNameCut || isValueCut)
      faults.push(
        invalid(name, `Write at most ${LIMITS.fieldSize} bytes.`, {
          rule: 'max_bytes',
          limit: LIMITS.fieldSize,
        }),
      )
    if (fields.has(name)) faults.push(invalid(name, 'Send each field once.'))
    fields.set(name, value)
    parts.push({ name, type, sha256: createHash('sha256').update(value).digest('hex') })
  })
  parser.on('fieldsLimit', () => faults.push(notAForm()))

  return {
    async end() {
      if (faults[0]) throw faults[0]
      if (!pendingUpload) throw invalid(FILE_FIELD, `Send a file in the field "${FILE_FIELD}".`)
      const file = await pendingUpload.file
      const { name: file_name, mime_type: type, sha256 } = file
      const digest = digestOf([...parts, { name: FILE_FIELD, file_name, type, sha256 }])
      return { file, fields: Object.fromEntries(fields), digest }
    },
    async drop(storage: Storage) {
      pendingUpload?.stream.destroy()
      const receivedFile = await pendingUpload?.file.catch(() => undefined)
      if (receivedFile) await storage.discard(receivedFile)
    },
  }
}
