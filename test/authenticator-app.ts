import { codeAt, stepAt } from '../src/features/installation/users/totp.ts'
import type { SignedIn } from './browser-session.ts'
import type { Tradepost } from './harness.ts'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function decodeBase32(base32: string): Buffer {
  const bits = [...base32]
    .map((letter) => DIGITS.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the code that an authenticator app with this secret shows. */
export const codeNow = ({ app }: Tradepost, secret: Buffer): string =>
  codeAt(secret, stepAt(app.clock.now()))

/** Turns codes on for a user, and returns the recovery codes. */
export async function turnCodesOn(tradepost: Tradepost, user: SignedIn): Promise<string[]> {
  const secret = decodeBase32((await user.post('/totp')).json.secret)
  const { status, json, text } = await user.post('/totp/confirm', {
    code: codeNow(tradepost, secret),
  })
  if (status !== 200) throw new Error(text)
  return json.recovery_codes
}
