import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { notFound, PlainError } from '../../../kernel/errors.ts'
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
import { maySee } from './access.rules.ts'
import type { Call, LiveSession } from './call.ts'
import { GRANT_MS, readGrant, writeGrant } from './grant.rules.ts'
import { type SessionRow, selectSessionById } from './queries/sessions.ts'
import { hasEnded, whyNot } from './session-standing.ts'

const MIB = 1024 * 1024
const RANGE_MAX = 8 * MIB
/** The hash of a range stands in a header before its bytes: so many of them are kept in memory. */
const room = { left: 32 * MIB }

export interface Manifest {
  file: Pick<FileRow, 'name' | 'version' | 'size_bytes' | 'sha256' | 'content_type'>
  grant: string
  grant_expires_at: string
}

const hashOf = (vault: Vault) => (text: string) => vault.hmac('client.grant', text)

/** R8, first: what a file is, and a grant to fetch its bytes. */
export async function showManifest(
  { context, app }: Call,
  { row }: LiveSession,
  name: string,
): Promise<Manifest> {
  const file = await selectActiveFile(context.db, context.store.id, app.id, name)
  if (!file || !maySee(file, row)) throw notFound('File')
  const { version, size_bytes, sha256, content_type } = file
  const expires_ms = Date.parse(context.now) + GRANT_MS
  const grant = { session_id: row.id, file_id: file.id, version, expires_ms }
  return {
    file: { name: file.name, version, size_bytes, sha256, content_type },
    grant: writeGrant(grant, hashOf(context.vault)),
    grant_expires_at: iso(expires_ms),
  }
}

/** What leaves, and the hash of exactly these bytes. */
export interface Fetched {
  status: 200 | 206
  headers: Record<string, string>
  body: Content['body']
  sha256: string
}

/** R8, then: the bytes, to who holds a grant whose session lives. */
export async function fetchContent(
  call: Call,
  { name, grant, asked }: { name: string; grant: string; asked: AskedRange },
): Promise<Fetched> {
  const { context } = call
  const given = readGrant(grant, hashOf(context.vault))
  const row = given && given.expires_ms > Date.parse(context.now) && (await sessionOf(call, given))
  if (!row) throw new PlainError(401, 'This grant is not valid, or its time is over.')
  await call.takeSessionCall(row.token_hash)
  const file = await selectFile(context.db, context.store.id, given.file_id)
  if (!isGranted(file, { name, version: given.version, appId: call.app.id }, row)) {
    throw notFound('File')
  }
  const read = () => readContent(context.storage, file, { asked, range_max: RANGE_MAX })
  const content = await read()
  const { range } = content
  const fetched = isPart(range, file) ? await hashed(content, range, read) : content
  // However many parts it was fetched in, one of them has the end.
  if (!range || range.end === file.size_bytes - 1) call.note('file', file.id)
  return { sha256: file.sha256, ...fetched }
}

const isPart = (range: Content['range'], { size_bytes }: FileRow): range is ByteRange =>
  range !== undefined && range.end - range.start + 1 < size_bytes

/**
 * A part of a file and its hash. It is kept in memory until it is sent, or read once more where others
 * fill the room: however slowly they all take what they get, they take no more.
 */
async function hashed(content: Content, { start, end }: ByteRange, read: () => Promise<Content>) {
  const length = end - start + 1
  const isKept = length <= room.left
  if (isKept) room.left -= length
  const giveBack = () => {
    if (isKept) room.left += length
  }
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of content.body) {
      hash.update(chunk as Uint8Array)
      if (isKept) chunks.push(chunk as Uint8Array)
    }
  } catch (error) {
    giveBack()
    throw error
  }
  const sha256 = hash.digest('hex')
  if (!isKept) return { ...(await read()), sha256 }
  return { ...content, body: Readable.from(chunks).once('close', giveBack), sha256 }
}

/** The session that was granted something, if it still may go on. */
async function sessionOf(
  { context, app, ip }: Pick<Call, 'context' | 'app' | 'ip'>,
  { session_id }: { session_id: number },
): Promise<SessionRow | undefined> {
  const { db, store, now } = context
  const row = await selectSessionById(db, store.id, { appId: app.id, id: session_id, ip, now })
  return row && !hasEnded(row, now) && !whyNot(row, now) ? row : undefined
}

function isGranted(
  file: FileRow | undefined,
  { name, version, appId }: { name: string; version: number; appId: number },
  row: SessionRow,
): file is FileRow {
  if (!file || file.app_id !== appId || file.name !== name || file.version !== version) return false
  return file.status === 'active' && file.upload_state === 'ready' && maySee(file, row)
}
