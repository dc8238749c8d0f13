import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import type { Vault } from '../../../kernel/vault.ts'
import type { RangeHeaders } from '../../../storage/range.rules.ts'
import type { ByteRange } from '../../../storage/storage.ts'
import { selectActiveRecord, selectRecord } from '../app-records/index.ts'
import { FILES, type FileContent, type FileRow, readContent } from '../files/index.ts'
import { isVisible } from './access.rules.ts'
import type { LiveSession, ProgramCall } from './call.ts'
import { GRANT_MS, readGrant, writeGrant } from './grant.rules.ts'
import * as q from './queries/index.ts'
import { hasEnded, sessionRefusal } from './session-refusal.ts'

const MIB = 1024 * 1024
const RANGE_MAX = 8 * MIB
/**
 * The memory for buffered ranges of all calls. The hash of a range is sent in a header, so the whole range is
 * read before its first byte is sent.
 */
const rangeBuffer = { bytes_left: 32 * MIB }

interface FileAndGrant {
  file: Pick<FileRow, 'name' | 'version' | 'size_bytes' | 'sha256' | 'content_type'>
  grant: string
  grant_expires_at: string
}

const grantSigner = (vault: Vault) => (text: string) => vault.hmac('client.grant', text)

/** Returns the metadata of a file and a grant to fetch its bytes. */
export async function showFileAndGrant(
  { context, app }: ProgramCall,
  { row }: LiveSession,
  name: string,
): Promise<FileAndGrant> {
  const file = await selectActiveRecord(context.db, context.store.id, FILES, {
    appId: app.id,
    name,
  })
  if (file?.upload_state !== 'ready' || !isVisible(file, row)) throw notFound('File')
  const { version, size_bytes, sha256, content_type } = file
  const expires_ms = Date.parse(context.now) + GRANT_MS
  const grant = { session_id: row.id, file_id: file.id, version, expires_ms }
  return {
    file: { name: file.name, version, size_bytes, sha256, content_type },
    grant: writeGrant(grant, grantSigner(context.vault)),
    grant_expires_at: iso(expires_ms),
  }
}

/** A response with the SHA-256 of its body. */
interface FileResponse {
  status: 200 | 206
  headers: Record<string, string>
  body: FileContent['body']
  sha256: string
}

/** Returns the bytes of a file if the grant is valid and its session is live. */
export async function fetchContent(
  call: ProgramCall,
  { name, grant, rangeHeaders }: { name: string; grant: string; rangeHeaders: RangeHeaders },
): Promise<FileResponse> {
  const { context } = call
  const openedGrant = readGrant(grant, grantSigner(context.vault))
  const row =
    openedGrant &&
    openedGrant.expires_ms > Date.parse(context.now) &&
    (await sessionOf(call, openedGrant))
  if (!row)
    throw new Refusal(
      401,
      'The grant is invalid or has expired. Get a new one from the metadata of the file.',
    )
  await call.countSessionCall(row.token_hash)
  const file = await selectRecord(context.db, context.store.id, FILES, openedGrant.file_id)
  if (!isGranted(file, { name, version: openedGrant.version, appId: call.app.id }, row)) {
    throw notFound('File')
  }
  const readRange = () => readContent(context.storage, file, { rangeHeaders, range_max: RANGE_MAX })
  const content = await readRange()
  const { range } = content
  const response = isPartial(range, file) ? await hashRange(content, range, readRange) : content
  // Only the range with the end of the file is counted, so a file fetched in ranges is one download.
  if (!range || range.end === file.size_bytes - 1) {
    call.countUse('file', file.id)
    call.countRead('file', file.id, row)
  }
  return { sha256: file.sha256, ...response }
}

const isPartial = (range: FileContent['range'], { size_bytes }: FileRow): range is ByteRange =>
  range !== undefined && range.end - range.start + 1 < size_bytes

/**
 * Hashes a range of a file. The bytes stay in memory until they are sent. If slow readers have used up the
 * buffer, the range is read from storage a second time instead.
 */
async function hashRange(
  content: FileContent,
  { start, end }: ByteRange,
  readRange: () => Promise<FileContent>,
) {
  const length = end - start + 1
  const isBuffered = length <= rangeBuffer.bytes_left
  if (isBuffered) rangeBuffer.bytes_left -= length
  const release = () => {
    if (isBuffered) rangeBuffer.bytes_left += length
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
  if (!isBuffered) return { ...(await readRange()), sha256 }
  return { ...content, body: Readable.from(chunks).once('close', release), sha256 }
}

/** Returns the session of a grant; undefined if the session has ended or may not continue. */
async function sessionOf(
  { context, app, ip }: Pick<ProgramCall, 'context' | 'app' | 'ip'>,
  { session_id }: { session_id: number },
): Promise<q.SessionRow | undefined> {
  const { db, store, now } = context
  const row = await q.selectSessionById(db, store.id, { appId: app.id, id: session_id, ip, now })
  return row && !hasEnded(row, now) && !sessionRefusal(row, now) ? row : undefined
}

function isGranted(
  file: FileRow | undefined,
  { name, version, appId }: { name: string; version: number; appId: number },
  row: q.SessionRow,
): file is FileRow {
  if (!file || file.app_id !== appId || file.name !== name || file.version !== version) return false
  return file.status === 'active' && file.upload_state === 'ready' && isVisible(file, row)
}
