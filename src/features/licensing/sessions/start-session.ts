import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../../db/database.ts'
import { later } from '../../../kernel/time.ts'
import type { Call } from './call.ts'
import type { FactsRow } from './queries/facts.ts'
import * as q from './queries/sessions.ts'
import type { SessionLease } from './schema.ts'

const TOKEN_BYTES = 32

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

interface SessionStart extends q.SessionWrites {
  key_id: number | null
  app_version: string | undefined
}

/** Starts a session. The token is returned here only: the database stores its hash. */
export async function startSession(
  tx: Tx,
  { context, app }: Call,
  row: FactsRow,
  { key_id, app_version, ...writes }: SessionStart,
): Promise<{ device_id: number | null; session: SessionLease }> {
  const { store, now } = context
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = later(now, row.session_ttl_seconds)
  const lease_expires_at = leaseOf(row, now, expires_at)
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
  const { heartbeat_seconds } = row
  return { device_id, session: { token, expires_at, heartbeat_seconds, lease_expires_at } }
}

/** End of a lease: one heartbeat interval plus the grace period, but never after the session's end. */
export function leaseOf(
  { heartbeat_seconds, grace_seconds }: Pick<FactsRow, 'heartbeat_seconds' | 'grace_seconds'>,
  now: string,
  end: string,
): string {
  const lease = later(now, heartbeat_seconds + grace_seconds)
  return lease < end ? lease : end
}
