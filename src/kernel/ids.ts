import { randomBytes, randomInt } from 'node:crypto'

/** Sorted by byte value, so that text in the collation "C" sorts like the numbers. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 128 bits as 22 characters. */
export function base62(value: bigint, length = 22): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= CHUNK)
    text = digits(Number(rest % CHUNK)) + text
  return text.slice(-length)
}

/** As many digits as fit a plain number; each step of BigInt arithmetic allocates. */
const CHUNK_DIGITS = 8
const CHUNK = 62n ** BigInt(CHUNK_DIGITS)

function digits(value: number): string {
  let text = ''
  for (let rest = value; text.length < CHUNK_DIGITS; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}

/** Reverses `base62`; undefined if a character is not in its alphabet. */
export function fromBase62(text: string): bigint | undefined {
  let value = 0n
  for (const character of text) {
    const digit = BASE62.indexOf(character)
    if (digit < 0) return undefined
    value = value * 62n + BigInt(digit)
  }
  return value
}

/**
 * A prefix that names the kind, and 22 characters: 48 bits of time, then 80 random bits. Later ids
 * sort later, which keeps their indexes small (decision 30).
 */
export function newId(prefix: `${string}_`, now = Date.now()): string {
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`)
  return prefix + base62((BigInt(now) << 80n) | random)
}

/** Sorts below every id of this kind that is made at this time or later. */
export const lowestId = (prefix: `${string}_`, now: number): string =>
  prefix + base62(BigInt(now) << 80n)

/** 12 characters, at least one a letter, so that a hash is never a numeric id (decision 30). */
export function newHash(): string {
  const hash = randomText(12)
  return /[A-Za-z]/.test(hash) ? hash : newHash()
}

export const randomText = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(62)]).join('')

export const isHash = (text: string): boolean => /^(?=.*[A-Za-z])[0-9A-Za-z]{12}$/.test(text)
