import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { invalid, Refusal } from '../kernel/errors.ts'
import type { Received, Storage, Uploaded } from '../storage/storage.ts'

/** A received upload; its file is temporary. */
export interface Upload {
  file: Uploaded
  fields: Record<string, string>
  /**
   * Compared with the first call's digest if a call is repeated. For a form it does not depend on
   * the boundary.
   */
  digest: Buffer
}

interface Incoming {
  stream: Readable
  done: Promise<Uploaded>
}

const FILE_FIELD = 'file'
/** Space for everything in a form but the file: boundaries, headers, a few short fields. */
const FORM_BYTES_MAX = 64 * 1024
const LIMITS = { files: 2, fields: 20, fieldSize: 4 * 1024, fieldNameSize: 100, headerPairs: 20 }

/** The parts of a request that an upload needs. */
export interface Sent {
  headers: IncomingHttpHeaders
  body: unknown
  query: unknown
}

/** Streams the bare bytes of a file to disk; its text fields are query parameters. */
export async function receiveBare(
  { headers, body, query }: Sent,
  max_bytes: number,
  storage: Storage,
): Promise<Upload> {
  refuseLength(headers, max_bytes, max_bytes)
  const received = await storage.receive(body as Readable, max_bytes)
  const digest = Buffer.from(received.sha256, 'hex')
  try {
    checkDigest(headers, digest)
  } catch (error) {
    await storage.discard(received)
    throw error
  }
  const fields = query as Record<string, string>
  const file = { ...received, name: fields.filename ?? fields.name ?? '', mime_type: BARE_TYPE }
  return { file, fields, digest }
}

const BARE_TYPE = 'application/octet-stream'

/** Refuses a body by its Content-Length, without reading it. */
function refuseLength(headers: IncomingHttpHeaders, length_max: number, max_bytes: number): void {
  if (Number(headers['content-length'] ?? 0) > length_max) throw tooLarge(max_bytes)
}

/** Checks `Content-Digest: sha-256=:…:` of RFC 9530, so that corrupted bytes are not kept. */
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
    'The body does not have this digest: it changed in transit. Send it again.',
  )
}

/** Streams a form to disk in constant memory. A file over its limit is PAYLOAD_TOO_LARGE. */
export async function receiveUpload(
  { headers, body }: Sent,
  max_bytes: number,
  storage: Storage,
): Promise<Upload> {
  refuseLength(headers, max_bytes + FORM_BYTES_MAX, max_bytes)
  const parser = openParser(headers)
  const abort = new AbortController()
  const hash = createHash('sha256')
  const form = collect(parser, (stream) => storage.receive(stream, max_bytes), abort)
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    let remaining = max_bytes + FORM_BYTES_MAX
    for await (const chunk of chunks) {
      remaining -= chunk.byteLength
      if (remaining < 0) throw tooLarge(max_bytes)
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(body as Readable, counted, parser, { signal: abort.signal })
    checkDigest(headers, hash.digest())
    return await form.end()
  } catch (error) {
    await form.drop(storage)
    throw asRefusal(abort.signal.reason ?? error)
  }
}

/** The parts of a form that must equal those of the first call, in any order (decision 122). */
interface Part {
  name: string
  file_name?: string
  type: string
  /** The hash of the content, in hex. */
  sha256: string
}

/**
 * Hashes the sorted parts, because a repeated `FormData` has another boundary and so other bytes.
 */
function digestOf(parts: readonly Part[]): Buffer {
  const lines = parts.map(({ name, file_name, type, sha256 }) =>
    JSON.stringify([name, file_name ?? null, type, sha256]),
  )
  return createHash('sha256').update(lines.sort().join('\n')).digest()
}

const tooLarge = (max_bytes: number) =>
  new Refusal('PAYLOAD_TOO_LARGE', `Send at most ${max_bytes} bytes.`)

const notAForm = () => invalid('', 'The body is not valid multipart/form-data.')

/** Errors of storage are passed on; any other error means that the form is malformed. */
const asRefusal = (error: unknown): Refusal => (error instanceof Refusal ? error : notAForm())

function openParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS })
  } catch {
    throw notAForm()
  }
}

/** Collects the parts of a form. If the file cannot be received, the whole upload ends. */
function collect(
  parser: BusboyInstance,
  receive: (stream: Readable) => Promise<Received>,
  abort: AbortController,
) {
  const fields = new Map<string, string>()
  const parts: Part[] = []
  const faults: Refusal[] = []
  let incoming: Incoming | undefined

  parser.on('file', (field: string | undefined, stream, ...[name, , mime_type]) => {
    // A truncated body emits an error here too, perhaps after all listeners were removed.
    stream.on('error', () => {})
    if (field !== FILE_FIELD || incoming) {
      faults.push(invalid(field ?? '', `Send one file, in the field "${FILE_FIELD}".`))
      return void stream.resume()
    }
    const done = receive(stream).then((received) => ({ ...received, name: name ?? '', mime_type }))
    done.catch((error) => abort.abort(error))
    incoming = { stream, done }
  })
  parser.on('field', (name: string | undefined, value, ...[nameCut, valueCut, , type]) => {
    if (name === undefined)
      return void faults.push(invalid('', 'Give each part of the form a name.'))
    if (nameCut || valueCut) faults.push(invalid(name, `Write at most ${LIMITS.fieldSize} bytes.`))
    if (fields.has(name)) faults.push(invalid(name, 'Send each field once.'))
    fields.set(name, value)
    parts.push({ name, type, sha256: createHash('sha256').update(value).digest('hex') })
  })
  parser.on('fieldsLimit', () => faults.push(notAForm()))

  return {
    async end() {
      if (faults[0]) throw faults[0]
      if (!incoming) throw invalid(FILE_FIELD, `Send a file in the field "${FILE_FIELD}".`)
      const file = await incoming.done
      const { name: file_name, mime_type: type, sha256 } = file
      const digest = digestOf([...parts, { name: FILE_FIELD, file_name, type, sha256 }])
      return { file, fields: Object.fromEntries(fields), digest }
    },
    async drop(storage: Storage) {
      incoming?.stream.destroy()
      const received = await incoming?.done.catch(() => undefined)
      if (received) await storage.discard(received)
    },
  }
}
