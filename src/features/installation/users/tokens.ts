import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../../kernel/vault.ts'

/** The keyed hash under which a token is stored; each kind of token has its own. */
export const hashToken = (vault: Vault, kind: TokenKind, token: string): Buffer =>
  vault.hmac(`user_${kind}`, token)

type TokenKind = 'session' | 'link' | 'invitation' | 'recovery' | 'budget' | 'challenge' | 'passkey'

const TOKEN_BYTES = 32

/** 256 random bits as text. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** True if a text has the form of a token; other texts are not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

const DEVICE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

/** The value of the cookie that proves that a user signed in on this device before. */
export function newDevice(vault: Vault, userId: number): string {
  const name = randomBytes(16).toString('base64url')
  return `${name}.${sign(vault, userId, name)}`
}

/** The name of the device, if the user signed in there before. */
export function deviceOf(
  vault: Vault,
  userId: number,
  cookie: string | undefined,
): string | undefined {
  const [, name = '', signature = ''] = DEVICE.exec(cookie ?? '') ?? []
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
