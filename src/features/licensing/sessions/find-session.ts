import { createHash } from 'node:crypto'
import { Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow } from '../../../store-context.ts'
import type { Call, LiveSession } from './call.ts'
import { isSignedBy } from './device-key.ts'
import { isWithinSkew, NONCE_MS, proofText, readProof } from './proof.rules.ts'
import * as q from './queries/sessions.ts'
import { endedReasonOf, hasEnded, whyNotContinue } from './session-refusal.ts'
import { hashToken } from './start-session.ts'

/** The parts of a request that the device's proof covers. */
export interface SignedRequest {
  method: string
  path: string
  body: Uint8Array | undefined
  token: string
  proof: string | undefined
}

const refused = (why: string) => new Refusal(401, why)

const hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/**
 * Finds the session of a token, or refuses the call with 401. A device that registered a public key signs
 * every call, so a stolen token alone reads nothing (decision 119).
 */
export async function findSession(
  call: Call,
  request: SignedRequest,
  { proof: use }: { proof: 'checked' | 'handed' },
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
    await call.takeUnknownToken()
    throw refused('The session token is unknown. Start a new session.')
  }
  await call.takeSessionCall(token_hash)
  if (hasEnded(row, context.now)) throw refused('This session has ended. Start a new one.')
  const proof = checkProof(call, request, row)
  const why = whyNotContinue(row, context.now)
  if (why && use === 'checked') {
    await q.endSession(context.db, context.store.id, row.id, {
      now: context.now,
      reason: endedReasonOf(why),
    })
    throw refused('This session has ended. Start a new one.')
  }
  if (proof && use === 'checked' && !(await q.useNonce(context.db, context.store.id, proof))) {
    throw refused('This Client-Nonce was used before. Send a new one with each call.')
  }
  return { row, proof }
}

/** Checks the signature and the time of a call. A device without a public key sends no proof. */
function checkProof(call: Call, request: SignedRequest, row: q.SessionRow): q.Proof | undefined {
  if (row.device_key === null || row.device_id === null) return undefined
  const signed = readProof(request.proof)
  if (!signed)
    throw refused(
      'Send Client-Proof: t=<Unix seconds>,v1=<signature>. This device has a key and signs every call.',
    )
  const at = machineNow(call.context)
  if (!isWithinSkew(signed.t, at)) {
    throw refused(
      'The clock of this device is off by more than 300 seconds. Set it and send the call again.',
    )
  }
  const text = proofText({
    publicId: call.app.public_id,
    method: request.method,
    path: request.path,
    nonce: call.nonce,
    t: signed.t,
    tokenHash: hex(request.token),
    bodyHash: hex(request.body ?? ''),
  })
  if (!isSignedBy(row.device_key, text, signed.v1))
    throw refused('The Client-Proof signature is invalid.')
  return {
    device_id: row.device_id,
    nonce: Buffer.from(call.nonce, 'base64url'),
    expires_at: iso(at + NONCE_MS),
  }
}
