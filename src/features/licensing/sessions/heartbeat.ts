import { PlainError } from '../../../kernel/errors.ts'
import { answered, type Call, type LiveSession } from './call.ts'
import * as q from './queries/sessions.ts'
import type { Answered } from './schema.ts'
import { reasonOf, whyNot } from './session-standing.ts'
import { leaseOf } from './start-session.ts'

/** R3: extends the lease and says how the license stands. One that may not go on ends here. */
export async function heartbeat(call: Call, { row, proof }: LiveSession): Promise<Answered> {
  const { db, store, now } = call.context
  const why = whyNot(row, now)
  if (why) {
    const fresh = proof === undefined || (await q.useNonce(db, store.id, proof))
    if (!fresh) throw replayed()
    await q.endSession(db, store.id, row.id, { now, reason: reasonOf(why) })
    return answered(call, why, row)
  }
  const lease_expires_at = leaseOf(row, now, row.session_expires_at)
  if (!(await q.extendLease(db, store.id, row.id, { now, lease_expires_at, proof }))) {
    throw replayed()
  }
  const { level, entitlements, expires_at } = row
  return {
    ...answered(call, 'VALID', row),
    session: {
      expires_at: row.session_expires_at,
      heartbeat_seconds: row.heartbeat_seconds,
      lease_expires_at,
    },
    ...(row.key_id !== null && { license: { level, entitlements, expires_at } }),
  }
}

const replayed = () =>
  new PlainError(401, 'This Client-Nonce was used before, or the session has ended.')
