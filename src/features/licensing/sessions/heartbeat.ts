import { Refusal } from '../../../kernel/errors.ts'
import { type LiveSession, licenseAnswer, type ProgramCall } from './call.ts'
import * as q from './queries/index.ts'
import type { LicenseAnswer } from './schema.ts'
import { endedReasonOf, sessionRefusal } from './session-refusal.ts'
import { leaseEnd } from './start-session.ts'

/** Extends the lease and returns the status of the license. Ends a session that may not continue. */
export async function heartbeat(
  call: ProgramCall,
  { row, proof }: LiveSession,
): Promise<LicenseAnswer> {
  const { db, store, now } = call.context
  const outcome = sessionRefusal(row, now)
  if (outcome) {
    const isNewNonce = proof === undefined || (await q.recordNonce(db, store.id, proof))
    if (!isNewNonce) throw nonceRefusal()
    await q.endSession(db, store.id, row.id, { now, reason: endedReasonOf(outcome) })
    return licenseAnswer(call, outcome, row)
  }
  const lease_expires_at = leaseEnd(row, now, row.session_expires_at)
  if (!(await q.extendLease(db, store.id, row.id, { now, lease_expires_at, proof }))) {
    throw nonceRefusal()
  }
  const { level, entitlements, expires_at } = row
  return {
    ...licenseAnswer(call, 'VALID', row),
    session: {
      expires_at: row.session_expires_at,
      heartbeat_seconds: row.heartbeat_seconds,
      lease_expires_at,
    },
    ...(row.key_id !== null && { license: { level, entitlements, expires_at } }),
  }
}

const nonceRefusal = () =>
  new Refusal(
    401,
    'This Client-Nonce was used before, or the session has ended. Send a new nonce or start a new session.',
  )
