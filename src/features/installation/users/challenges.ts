import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../../../app.ts'
import type { Tx } from '../../../db/database.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { useChallenge } from './queries/passkeys.ts'
import { hashToken } from './tokens.ts'

/** How long a browser has to answer. */
export const CHALLENGE_MS = 5 * MINUTE_MS

const RANDOM_BYTES = 16
const END_BYTES = 6
const SIGNED_BYTES = RANDOM_BYTES + END_BYTES

/** The purpose of a challenge; its answer counts for nothing else. */
export type Purpose = `register ${number}` | 'sign in' | `step up ${number}`

type Signer = Pick<App, 'vault' | 'clock'>

/** Signs challenges, so that calls without a session store nothing. */
export function newChallenge({ vault, clock }: Signer, purpose: Purpose): Buffer {
  const end = Buffer.alloc(END_BYTES)
  end.writeUIntBE(clock.now() + CHALLENGE_MS, 0, END_BYTES)
  const signed = Buffer.concat([randomBytes(RANDOM_BYTES), end])
  return Buffer.concat([signed, signatureOf({ vault }, purpose, signed)])
}

const signatureOf = ({ vault }: Pick<App, 'vault'>, purpose: Purpose, signed: Buffer): Buffer =>
  hashToken(vault, 'challenge', `${purpose}|${signed.toString('base64url')}`)

/** True if the challenge was made here, for this purpose, and has not expired. */
export function isChallenge({ vault, clock }: Signer, purpose: Purpose, text: string): boolean {
  const challenge = Buffer.from(text, 'base64url')
  const signed = challenge.subarray(0, SIGNED_BYTES)
  const signature = challenge.subarray(SIGNED_BYTES)
  const expected = signatureOf({ vault }, purpose, signed)
  const isSame = signature.length === expected.length && timingSafeEqual(signature, expected)
  return isSame && endOf(challenge) > clock.now()
}

const endOf = (challenge: Buffer): number => challenge.readUIntBE(RANDOM_BYTES, END_BYTES)

/** Uses a valid challenge up; false if it was answered before. */
export function takeChallenge(
  tx: Tx,
  { vault }: Pick<App, 'vault'>,
  text: string,
): Promise<boolean> {
  const expires_at = iso(endOf(Buffer.from(text, 'base64url')))
  return useChallenge(tx, hashToken(vault, 'challenge', text), expires_at)
}
