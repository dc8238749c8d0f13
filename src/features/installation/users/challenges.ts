import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../../../app.ts'
import type { Tx } from '../../../db/database.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'
import { hashToken } from './tokens.ts'

/** The time within which a browser must answer. */
export const CHALLENGE_MS = 5 * MINUTE_MS

const RANDOM_BYTES = 16
const EXPIRY_BYTES = 6
const SIGNED_BYTES = RANDOM_BYTES + EXPIRY_BYTES

/** The purpose of a challenge. An answer is valid only for the purpose of its challenge. */
export type Purpose = `register ${number}` | 'sign in' | `step up ${number}`

type ChallengeSigner = Pick<App, 'vault' | 'clock'>

/** Creates a signed challenge. It is not stored, so that calls without a session write no rows. */
export function newChallenge({ vault, clock }: ChallengeSigner, purpose: Purpose): Buffer {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeUIntBE(clock.now() + CHALLENGE_MS, 0, EXPIRY_BYTES)
  const content = Buffer.concat([randomBytes(RANDOM_BYTES), expiry])
  return Buffer.concat([content, signatureOf({ vault }, purpose, content)])
}

const signatureOf = ({ vault }: Pick<App, 'vault'>, purpose: Purpose, content: Buffer): Buffer =>
  hashToken(vault, 'challenge', `${purpose}|${content.toString('base64url')}`)

/** Returns true if this installation signed the challenge for this purpose, and it has not expired. */
export function isChallenge(
  { vault, clock }: ChallengeSigner,
  purpose: Purpose,
  text: string,
): boolean {
  const challenge = Buffer.from(text, 'base64url')
  const content = challenge.subarray(0, SIGNED_BYTES)
  const signature = challenge.subarray(SIGNED_BYTES)
  const expected = signatureOf({ vault }, purpose, content)
  const isSame = signature.length === expected.length && timingSafeEqual(signature, expected)
  return isSame && expiryOf(challenge) > clock.now()
}

const expiryOf = (challenge: Buffer): number => challenge.readUIntBE(RANDOM_BYTES, EXPIRY_BYTES)

/** Marks a valid challenge as answered. Returns false if it was answered before. */
export function markAnswered(
  tx: Tx,
  { vault }: Pick<App, 'vault'>,
  text: string,
): Promise<boolean> {
  const expires_at = iso(expiryOf(Buffer.from(text, 'base64url')))
  return q.recordUsedChallenge(tx, hashToken(vault, 'challenge', text), expires_at)
}
