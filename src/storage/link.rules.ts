import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

export const LINK_MS = 15 * MINUTE_MS

/** A keyed hash: `vault.hmac('…', text)`. */
export type Sign = (text: string) => Buffer

/** What a link leads to, and until when, in Unix seconds. */
export interface Link {
  /** Of characters that stand in an address as they are, and without a dot. */
  target: string
  expires_s: number
}

/** The part of an address that proves it is ours: `target.expires.signature`. */
export function signLink(target: string, now_ms: number, sign: Sign): string {
  const expires_s = Math.floor((now_ms + LINK_MS) / SECOND_MS)
  const text = `${target}.${expires_s}`
  return `${text}.${sign(text).toString('base64url')}`
}

/** What a signed link leads to; nothing where it was changed or its time is over. */
export function openLink(signed: string, now_ms: number, sign: Sign): Link | undefined {
  const [, text = '', target = '', expires = '', signature = ''] =
    /^(([\w-]{1,200})\.(\d{1,12}))\.([\w-]{43})$/.exec(signed) ?? []
  if (text === '') return undefined
  // Hashed once more, so that the time of the comparison tells nothing of the signature.
  const given = sign(signature)
  const expected = sign(sign(text).toString('base64url'))
  const expires_s = Number(expires)
  if (!given.equals(expected) || now_ms >= expires_s * SECOND_MS) return undefined
  return { target, expires_s }
}
