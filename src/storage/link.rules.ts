import { openSigned, type Sign, signText } from '../kernel/signed-text.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

export const LINK_MS = 15 * MINUTE_MS

/** The target of a link, and its expiry. */
export interface Link {
  /** Contains only characters that need no escaping in a URL, and no dot. */
  target: string
  expires_ms: number
}

/** The expiry of a link that is signed now, in Unix seconds. */
export const linkEnds = (now_ms: number): number => Math.floor((now_ms + LINK_MS) / SECOND_MS)

/** The signed part of a URL: `target.expires.signature`. */
export const signLink = (target: string, now_ms: number, sign: Sign): string =>
  signText(`${target}.${linkEnds(now_ms)}`, sign)

/**
 * Returns the content of a link if its signature is valid. The caller checks the expiry, because it
 * knows the current time.
 */
export function openLink(signed: string, sign: Sign): Link | undefined {
  const text = openSigned(signed, sign) ?? ''
  const [, target, expires] = /^([\w-]{1,200})\.(\d{1,12})$/.exec(text) ?? []
  return target === undefined ? undefined : { target, expires_ms: Number(expires) * SECOND_MS }
}
