import { createHash } from 'node:crypto'
import { Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow } from '../../../store-context.ts'
import type { LiveSession, ProgramCall } from './call.ts'
import { isSignedBy } from './device-key.ts'
import { isWithinSkew, NONCE_MS, proofText, readProof } from './proof.rules.ts'
import * as q from './queries/index.ts'
import { endedReasonOf, hasEnded, sessionRefusal } from './session-refusal.ts'
import { hashToken } from './start-session.ts'

/** The parts of a request that the device's proof covers. */
interface SignedRequest {
  method: string
  path: string
  body: Uint8Array | undefined
  token: string
  proof: string | undefined
}

const unauthorized = (message: string) => new Refusal(401, message)

const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')

/**
 * Finds the session of a token, or refuses the call with 401. A device that registered a public key signs
 * every call, so a stolen token is useless without the key of the device (decision 119). With the proof
 * `deferred`, the caller records the nonce and ends a session that may not continue.
 */
export async function findSession(
  call: ProgramCall,
  request: SignedRequest,
  { proof: proofMode }: { proof: 'checked' | 'deferred' },
): Promise<LiveSession> {
  const { context, app, ip } = call
  const token_hash = hashToken(request.token)
  const row = await q.selectSession(context.db, context.store.id, {
    appId: app.id,
    token_hash,
    ip,
    now: context.now,
  })
  if (!row) {
    await call.countUnknownToken()
    throw unauthorized('The session token is unknown. Start a new session.')
  }
  await call.countSessionCall(token_hash)
  if (hasEnded(row, context.now)) throw unauthorized('This session has ended. Start a new one.')
  const proof = checkProof(call, request, row)
  const outcome = sessionRefusal(row, context.now)
  if (outcome && proofMode === 'checked') {
    await q.endSession(context.db, context.store.id, row.id, {
      now: context.now,
      reason: endedReasonOf(outcome),
    })
    throw unauthorized('This session has ended. Start a new one.')
  }
  if (
    proof &&
    proofMode === 'checked' &&
    !(await q.recordNonce(context.db, context.store.id, proof))
  ) {
    throw unauthorized('This Client-Nonce was used before. Send a new one with each call.')
  }
  return { row, proof }
}

/** Checks the signature and the time of a call. A device without a public key sends no proof. */
function checkProof(
  call: ProgramCall,
  request: SignedRequest,
  row: q.SessionRow,
): q.Proof | undefined {
  if (row.device_key === null || row.device_id === null) return undefined
  const sentProof = readProof(request.proof)
  if (!sentProof)
    throw unauthorized(
      'Send Client-Proof: t=<Unix seconds>,v1=<signature>. This device has a key and signs every call.',
    )
  const now_ms = machineNow(call.context)
  if (!isWithinSkew(sentProof.t, now_ms)) {
    throw unauthorized(
      'The clock of this device is off by more than 300 seconds. Set it and send the call again.',
    )
  }
  const text = proofText({
    publicId: call.app.public_id,
    method: request.method,
    path: request.path,
    nonce: call.nonce,
    t: sentProof.t,
    tokenHash: sha256Hex(request.token),
    bodyHash: sha256Hex(request.body ?? ''),
  })
  if (!isSignedBy(row.device_key, text, sentProof.v1))
    throw unauthorized(
      'The Client-Proof signature is invalid. Sign this call with the key of this device.',
    )
  return {
    device_id: row.device_id,
    nonce: Buffer.from(call.nonce, 'base64url'),
    expires_at: iso(now_ms + NONCE_MS),
  }
}
