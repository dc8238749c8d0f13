import { openSigned, type Sign, signText } from '../kernel/signed-text.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

/** The time for which a link is valid. */
export const LINK_MS = 15 * MINUTE_MS

/** The target of a link, and its expiry. */
interface SignedLink {
  /** Contains only characters that need no escaping in a URL, and no dot. */
  target: string
  expires_ms: number
}

/** Returns the expiry of a link that is signed now, in Unix seconds. */
export const linkExpiry_s = (now_ms: number): number => Math.floor((now_ms + LINK_MS) / SECOND_MS)

/** Returns the signed part of a URL: `target.expires.signature`. */
export const signLink = (target: string, now_ms: number, sign: Sign): string =>
  signText(`${target}.${linkExpiry_s(now_ms)}`, sign)

/**
 * Returns the content of a link if its signature is valid. The caller must check the expiry.
 */
export function openLink(signedText: string, sign: Sign): SignedLink | undefined {
  const text = openSigned(signedText, sign) ?? ''
  const [, target, expires] = /^([\w-]{1,200})\.(\d{1,12})$/.exec(text) ?? []
  return target === undefined ? undefined : { target, expires_ms: Number(expires) * SECOND_MS }
}
