import { Refusal } from '../../../kernel/errors.ts'
import { type Call, type LiveSession, licenseAnswer } from './call.ts'
import * as q from './queries/sessions.ts'
import type { LicenseAnswer } from './schema.ts'
import { endedReasonOf, whyNotContinue } from './session-refusal.ts'
import { leaseOf } from './start-session.ts'

/** R3: extends the lease and answers the status of the license. Ends a session that may not continue. */
export async function heartbeat(call: Call, { row, proof }: LiveSession): Promise<LicenseAnswer> {
  const { db, store, now } = call.context
  const why = whyNotContinue(row, now)
  if (why) {
    const fresh = proof === undefined || (await q.useNonce(db, store.id, proof))
    if (!fresh) throw replayed()
    await q.endSession(db, store.id, row.id, { now, reason: endedReasonOf(why) })
    return licenseAnswer(call, why, row)
  }
  const lease_expires_at = leaseOf(row, now, row.session_expires_at)
  if (!(await q.extendLease(db, store.id, row.id, { now, lease_expires_at, proof }))) {
    throw replayed()
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

const replayed = () =>
  new Refusal(
    401,
    'This Client-Nonce was used before, or the session has ended. Send a new nonce or start a new session.',
  )
