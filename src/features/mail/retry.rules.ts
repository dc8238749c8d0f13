/** Seconds to wait after the first, second … failure. Six waits: seven tries in about 9 hours. */
const WAITS_S = [60, 5 * 60, 15 * 60, 30 * 60, 2 * 3_600, 6 * 3_600] as const

/** How long to wait after so many tries; nothing where there is no more. */
export const waitAfter = (attempts: number): number | undefined => WAITS_S[attempts - 1]

/** A refusal that will not change: the address, or the letter, is bad (RFC 5321, 4.2.1). */
export const isFinal = (responseCode: number | undefined): boolean =>
  responseCode !== undefined && responseCode >= 500
