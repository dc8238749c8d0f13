import { randomBytes, randomInt } from 'node:crypto'

/** The digits, sorted by byte value, so that texts in the collation "C" sort like their numbers. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes a number in base 62. 128 bits need 22 characters. */
export function base62(value: bigint, length = 22): string {
  let text = ''
  for (let remaining = value; text.length < length; remaining /= CHUNK)
    text = digits(Number(remaining % CHUNK)) + text
  return text.slice(-length)
}

/** The number of digits whose value fits into a plain number. Each BigInt step allocates memory, so steps are large. */
const CHUNK_DIGITS = 8
const CHUNK = 62n ** BigInt(CHUNK_DIGITS)

function digits(value: number): string {
  let text = ''
  let remaining = value
  while (text.length < CHUNK_DIGITS) {
    text = BASE62[remaining % 62] + text
    remaining = Math.floor(remaining / 62)
  }
  return text
}

/** Reads a number in base 62. Returns undefined if a character is not a digit. */
export function fromBase62(text: string): bigint | undefined {
  let value = 0n
  for (const character of text) {
    const digit = BASE62.indexOf(character)
    if (digit < 0) return undefined
    value = value * 62n + BigInt(digit)
  }
  return value
}

const RANDOM_BITS = 80
const timeBits = (now: number): bigint => BigInt(now) << BigInt(RANDOM_BITS)

/**
 * Creates an id: a prefix for the kind, and 22 characters with 48 bits of time and 80 random bits. Ids
 * sort by their time, which keeps their indexes small (decision 30).
 */
export function newId(prefix: `${string}_`, now = Date.now()): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BITS / 8).toString('hex')}`)
  return prefix + base62(timeBits(now) | random)
}

/** Returns a text that sorts below every id of this kind that is created at this time or later. */
export const lowestId = (prefix: `${string}_`, now: number): string =>
  prefix + base62(timeBits(now))

/** Creates 12 characters with at least one letter, so that a hash is not a numeric id (decision 30). */
export function newHash(): string {
  const hash = randomText(12)
  return /[A-Za-z]/.test(hash) ? hash : newHash()
}

export const randomText = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(62)]).join('')

export const isHash = (text: string): boolean => /^(?=.*[A-Za-z])[0-9A-Za-z]{12}$/.test(text)
