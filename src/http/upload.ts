import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { invalid, StoreError } from '../kernel/errors.ts'
import type { Storage, Uploaded } from '../storage/storage.ts'

/** A body of multipart/form-data, its file in a temporary place. */
export interface Upload {
  file: Uploaded
  fields: Record<string, string>
  /** Stands for the raw body where a repeat is compared with the first call. */
  digest: Buffer
}

interface Incoming {
  stream: Readable
  done: Promise<Uploaded>
}

const FILE_FIELD = 'file'
/** What a form may have beside its file: boundaries, headers, a few short fields. */
const FORM_BYTES_MAX = 64 * 1024
const LIMITS = { files: 2, fields: 20, fieldSize: 4 * 1024, fieldNameSize: 100, headerPairs: 20 }

/** Streams a form to the disk, in constant memory. A file past its limit is PAYLOAD_TOO_LARGE. */
export async function receiveUpload(
  { headers, body }: { headers: IncomingHttpHeaders; body: unknown },
  max_bytes: number,
  storage: Storage,
): Promise<Upload> {
  const parser = openParser(headers)
  const abort = new AbortController()
  const hash = createHash('sha256')
  const form = collect(parser, (stream) => storage.receive(stream, max_bytes), abort)
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    let left = max_bytes + FORM_BYTES_MAX
    for await (const chunk of chunks) {
      left -= chunk.byteLength
      if (left < 0) throw tooLarge(max_bytes)
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(body as Readable, counted, parser, { signal: abort.signal })
    return { ...(await form.end()), digest: hash.digest() }
  } catch (error) {
    await form.drop(storage)
    throw meantOf(abort.signal.reason ?? error)
  }
}

const tooLarge = (max_bytes: number) =>
  new StoreError('PAYLOAD_TOO_LARGE', `Send at most ${max_bytes} bytes.`)

const notAForm = () => invalid('', 'The body is not valid multipart/form-data.')

/** What the parser complains of is the caller's form; a disk that is full is not. */
function meantOf(error: unknown): unknown {
  const ours = error instanceof StoreError || (error as { syscall?: string }).syscall === 'write'
  return ours ? error : notAForm()
}

function openParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS })
  } catch {
    throw notAForm()
  }
}

/** Hears what the parser finds. A file that cannot be received ends the whole. */
function collect(
  parser: BusboyInstance,
  receive: (stream: Readable) => Promise<{ path: string; size_bytes: number; sha256: string }>,
  abort: AbortController,
) {
  const fields = new Map<string, string>()
  const faults: StoreError[] = []
  let incoming: Incoming | undefined

  parser.on('file', (field, stream, ...[name, , mime_type]) => {
    if (field !== FILE_FIELD || incoming) {
      faults.push(invalid(field, `Send one file, in the field "${FILE_FIELD}".`))
      return void stream.resume()
    }
    const done = receive(stream).then((received) => ({ ...received, name: name ?? '', mime_type }))
    done.catch((error) => abort.abort(error))
    incoming = { stream, done }
  })
  parser.on('field', (name, value, ...cut) => {
    if (cut[0] || cut[1]) faults.push(invalid(name, `Write at most ${LIMITS.fieldSize} bytes.`))
    if (fields.has(name)) faults.push(invalid(name, 'Send each field once.'))
    fields.set(name, value)
  })
  parser.on('fieldsLimit', () => faults.push(notAForm()))

  return {
    async end() {
      if (faults[0]) throw faults[0]
      if (!incoming) throw invalid(FILE_FIELD, `Send a file in the field "${FILE_FIELD}".`)
      return { file: await incoming.done, fields: Object.fromEntries(fields) }
    },
    async drop(storage: Storage) {
      incoming?.stream.destroy()
      const received = await incoming?.done.catch(() => undefined)
      if (received) await storage.discard(received)
    },
  }
}
