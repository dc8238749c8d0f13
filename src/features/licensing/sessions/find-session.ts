import { createHash } from 'node:crypto'
import { PlainError } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow } from '../../../store-context.ts'
import type { Call, LiveSession } from './call.ts'
import { isSignedBy } from './device-key.ts'
import { isWithinSkew, NONCE_MS, proofText, readProof } from './proof.rules.ts'
import * as q from './queries/sessions.ts'
import { hasEnded, reasonOf, whyNot } from './session-standing.ts'
import { hashToken } from './start-session.ts'

/** The call as it was sent, as far as a device signs it. */
export interface Sent {
  method: string
  path: string
  body: Uint8Array | undefined
  token: string
  proof: string | undefined
}

const refused = (why: string) => new PlainError(401, why)

const hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/**
 * The session of a token, or 401. Whatever ended it, its next call is the last. A device with a key of its
 * own proves every call, so a stolen token alone reads nothing (decision 119).
 */
export async function findSession(
  call: Call,
  sent: Sent,
  { proof: use }: { proof: 'checked' | 'handed' },
): Promise<LiveSession> {
  const { context, app, ip } = call
  const token_hash = hashToken(sent.token)
  const row = await q.selectSession(context.db, context.store.id, {
    appId: app.id,
    token_hash,
    ip,
    now: context.now,
  })
  if (!row) {
    await call.takeUnknownToken()
    throw refused('This session is not known.')
  }
  await call.takeSessionCall(token_hash)
  if (hasEnded(row, context.now)) throw refused('This session has ended.')
  const proof = checkProof(call, sent, row)
  const why = whyNot(row, context.now)
  if (why && use === 'checked') {
    await q.endSession(context.db, context.store.id, row.id, {
      now: context.now,
      reason: reasonOf(why),
    })
    throw refused('This session has ended.')
  }
  if (proof && use === 'checked' && !(await q.useNonce(context.db, context.store.id, proof))) {
    throw refused('This Client-Nonce was used before.')
  }
  return { row, proof }
}

/** A device that has a key of its own must have signed the call, with a clock near ours. */
function checkProof(call: Call, sent: Sent, row: q.SessionRow): q.Proof | undefined {
  if (row.device_key === null || row.device_id === null) return undefined
  const given = readProof(sent.proof)
  if (!given)
    throw refused(
      'Send Client-Proof: t=<Unix seconds>,v1=<signature>. This device has a key and signs every call.',
    )
  const at = machineNow(call.context)
  if (!isWithinSkew(given.t, at)) {
    throw refused('The clock of this device is wrong by more than 300 seconds.')
  }
  const text = proofText({
    publicId: call.app.public_id,
    method: sent.method,
    path: sent.path,
    nonce: call.nonce,
    t: given.t,
    tokenHash: hex(sent.token),
    bodyHash: hex(sent.body ?? ''),
  })
  if (!isSignedBy(row.device_key, text, given.v1))
    throw refused('The Client-Proof signature is invalid.')
  return {
    device_id: row.device_id,
    nonce: Buffer.from(call.nonce, 'base64url'),
    expires_at: iso(at + NONCE_MS),
  }
}
