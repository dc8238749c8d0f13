import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../../db/database.ts'
import { addSeconds } from '../../../kernel/time.ts'
import type { ProgramCall } from './call.ts'
import * as q from './queries/index.ts'
import type { SessionLease } from './schema.ts'

const TOKEN_BYTES = 32

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

interface ClientSessionStart extends q.SessionWrites {
  key_id: number | null
  app_version: string | undefined
}

/** Starts a session and returns its token. The token cannot be read again, because only its hash is stored. */
export async function startSession(
  tx: Tx,
  { context, app }: ProgramCall,
  row: q.FactsRow,
  { key_id, app_version, ...writes }: ClientSessionStart,
): Promise<{ device_id: number | null; session: SessionLease }> {
  const { store, now } = context
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = addSeconds(now, row.session_ttl_seconds)
  const lease_expires_at = leaseEnd(row, now, expires_at)
  const session = {
    app_id: app.id,
    key_id,
    token_hash: hashToken(token),
    app_version: app_version ?? null,
    started_at: now,
    lease_expires_at,
    expires_at,
  }
  const device_id = await q.insertSession(tx, store.id, session, writes)
  context.count(tx, 'session', 'started')
  const { heartbeat_seconds } = row
  return { device_id, session: { token, expires_at, heartbeat_seconds, lease_expires_at } }
}

/** Returns the end of a lease: after one heartbeat interval and the grace period, at most the session's end. */
export function leaseEnd(
  { heartbeat_seconds, grace_seconds }: Pick<q.FactsRow, 'heartbeat_seconds' | 'grace_seconds'>,
  now: string,
  sessionEnd: string,
): string {
  const lease = addSeconds(now, heartbeat_seconds + grace_seconds)
  return lease < sessionEnd ? lease : sessionEnd
}
