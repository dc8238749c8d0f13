import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../../kernel/vault.ts'

/** Returns the keyed hash under which a token is stored. Each kind of token has a separate key. */
export const hashToken = (vault: Vault, kind: TokenKind, token: string): Buffer =>
  vault.hmac(`user_${kind}`, token)

type TokenKind =
  | 'first_start'
  | 'session'
  | 'link'
  | 'invitation'
  | 'recovery'
  // Not a token: the name under which failed sign-ins are counted.
  | 'budget'
  | 'challenge'
  | 'passkey'

const TOKEN_BYTES = 32

/** Returns 256 random bits as text. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Returns true if a text has the form of a token. Other texts are not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

const DEVICE_COOKIE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

/** Returns the value of the cookie by which a later sign-in proves that the user has used this device. */
export function newDeviceCookie(vault: Vault, userId: number): string {
  const name = randomBytes(16).toString('base64url')
  return `${name}.${sign(vault, userId, name)}`
}

/** Returns the name of the device, or undefined if the user has not signed in there before. */
export function deviceNameIn(
  vault: Vault,
  userId: number,
  cookie: string | undefined,
): string | undefined {
  const [, name = '', signature = ''] = DEVICE_COOKIE.exec(cookie ?? '') ?? []
  const expected = sign(vault, userId, name)
  const isSame =
    signature.length === expected.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  return isSame ? name : undefined
}

const sign = (vault: Vault, userId: number, name: string): string =>
  createHmac('sha256', vault.hmac('user_device', String(userId)))
    .update(name)
    .digest('base64url')
