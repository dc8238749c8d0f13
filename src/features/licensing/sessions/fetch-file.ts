import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import type { Vault } from '../../../kernel/vault.ts'
import type { AskedRange } from '../../../storage/range.rules.ts'
import type { ByteRange } from '../../../storage/storage.ts'
import {
  type Content,
  type FileRow,
  readContent,
  selectActiveFile,
  selectFile,
} from '../files/index.ts'
import { isVisible } from './access.rules.ts'
import type { Call, LiveSession } from './call.ts'
import { GRANT_MS, readGrant, writeGrant } from './grant.rules.ts'
import { type SessionRow, selectSessionById } from './queries/sessions.ts'
import { hasEnded, whyNotContinue } from './session-refusal.ts'

const MIB = 1024 * 1024
const RANGE_MAX = 8 * MIB
/** The hash of a range is a header, so it is sent before the bytes. This budget limits buffered ranges. */
const buffer = { bytes_left: 32 * MIB }

export interface Manifest {
  file: Pick<FileRow, 'name' | 'version' | 'size_bytes' | 'sha256' | 'content_type'>
  grant: string
  grant_expires_at: string
}

const hashOf = (vault: Vault) => (text: string) => vault.hmac('client.grant', text)

/** R8, first call: returns the metadata of a file and a grant to fetch its bytes. */
export async function showManifest(
  { context, app }: Call,
  { row }: LiveSession,
  name: string,
): Promise<Manifest> {
  const file = await selectActiveFile(context.db, context.store.id, app.id, name)
  if (!file || !isVisible(file, row)) throw notFound('File')
  const { version, size_bytes, sha256, content_type } = file
  const expires_ms = Date.parse(context.now) + GRANT_MS
  const grant = { session_id: row.id, file_id: file.id, version, expires_ms }
  return {
    file: { name: file.name, version, size_bytes, sha256, content_type },
    grant: writeGrant(grant, hashOf(context.vault)),
    grant_expires_at: iso(expires_ms),
  }
}

/** The response, and the hash of exactly these bytes. */
export interface Fetched {
  status: 200 | 206
  headers: Record<string, string>
  body: Content['body']
  sha256: string
}

/** R8, second call: returns the bytes, if the session of the grant is still live. */
export async function fetchContent(
  call: Call,
  { name, grant, asked }: { name: string; grant: string; asked: AskedRange },
): Promise<Fetched> {
  const { context } = call
  const granted = readGrant(grant, hashOf(context.vault))
  const row =
    granted && granted.expires_ms > Date.parse(context.now) && (await sessionOf(call, granted))
  if (!row)
    throw new Refusal(
      401,
      'The grant is invalid or has expired. Get a new one from the metadata of the file.',
    )
  await call.takeSessionCall(row.token_hash)
  const file = await selectFile(context.db, context.store.id, granted.file_id)
  if (!isGranted(file, { name, version: granted.version, appId: call.app.id }, row)) {
    throw notFound('File')
  }
  const read = () => readContent(context.storage, file, { asked, range_max: RANGE_MAX })
  const content = await read()
  const { range } = content
  const fetched = isPart(range, file) ? await hashed(content, range, read) : content
  // Counts one download: only one of the ranges contains the end of the file.
  if (!range || range.end === file.size_bytes - 1) call.note('file', file.id)
  return { sha256: file.sha256, ...fetched }
}

const isPart = (range: Content['range'], { size_bytes }: FileRow): range is ByteRange =>
  range !== undefined && range.end - range.start + 1 < size_bytes

/**
 * Hashes a range of a file. The bytes stay in memory until they are sent. If slow readers have used up
 * the buffer, the range is read from storage a second time instead.
 */
async function hashed(content: Content, { start, end }: ByteRange, read: () => Promise<Content>) {
  const length = end - start + 1
  const isBuffered = length <= buffer.bytes_left
  if (isBuffered) buffer.bytes_left -= length
  const release = () => {
    if (isBuffered) buffer.bytes_left += length
  }
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of content.body) {
      hash.update(chunk as Uint8Array)
      if (isBuffered) chunks.push(chunk as Uint8Array)
    }
  } catch (error) {
    release()
    throw error
  }
  const sha256 = hash.digest('hex')
  if (!isBuffered) return { ...(await read()), sha256 }
  return { ...content, body: Readable.from(chunks).once('close', release), sha256 }
}

/** The session of a grant; undefined if it may not continue. */
async function sessionOf(
  { context, app, ip }: Pick<Call, 'context' | 'app' | 'ip'>,
  { session_id }: { session_id: number },
): Promise<SessionRow | undefined> {
  const { db, store, now } = context
  const row = await selectSessionById(db, store.id, { appId: app.id, id: session_id, ip, now })
  return row && !hasEnded(row, now) && !whyNotContinue(row, now) ? row : undefined
}

function isGranted(
  file: FileRow | undefined,
  { name, version, appId }: { name: string; version: number; appId: number },
  row: SessionRow,
): file is FileRow {
  if (!file || file.app_id !== appId || file.name !== name || file.version !== version) return false
  return file.status === 'active' && file.upload_state === 'ready' && isVisible(file, row)
}
