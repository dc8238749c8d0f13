import { openSigned, type Sign, signText } from '../kernel/signed-text.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

export const LINK_MS = 15 * MINUTE_MS

/** What a link leads to, and when its time is over. */
export interface Link {
  /** Of characters that stand in an address as they are, and without a dot. */
  target: string
  expires_ms: number
}

/** Until when, in seconds, a link that is signed now is good. */
export const linkEnds = (now_ms: number): number => Math.floor((now_ms + LINK_MS) / SECOND_MS)

/** The part of an address that proves it is ours: `target.expires.signature`. */
export const signLink = (target: string, now_ms: number, sign: Sign): string =>
  signText(`${target}.${linkEnds(now_ms)}`, sign)

/** What a link says, if it is ours. Whether its time is over is for who knows what time it is there. */
export function openLink(signed: string, sign: Sign): Link | undefined {
  const text = openSigned(signed, sign) ?? ''
  const [, target, expires] = /^([\w-]{1,200})\.(\d{1,12})$/.exec(text) ?? []
  return target === undefined ? undefined : { target, expires_ms: Number(expires) * SECOND_MS }
}
