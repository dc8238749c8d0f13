import { randomBytes, randomInt } from 'node:crypto'

/** In the order of their bytes, so that text in the collation "C" sorts as the number it writes. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 128 bits as 22 characters of equal length. */
export function base62(value: bigint, length = 22): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= CHUNK)
    text = digits(Number(rest % CHUNK)) + text
  return text.slice(-length)
}

/** So many digits fit a plain number: arithmetic on big ones makes a new one at each step. */
const CHUNK_DIGITS = 8
const CHUNK = 62n ** BigInt(CHUNK_DIGITS)

function digits(value: number): string {
  let text = ''
  for (let rest = value; text.length < CHUNK_DIGITS; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}

/** The number that `base62` wrote; undefined where a character is none of its alphabet. */
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
 * A prefix that says what it names, and 22 characters: 48 bits of time, then 80 that nobody can
 * guess. Ids made later sort later, which keeps their indexes small (decision 30).
 */
export function newId(prefix: `${string}_`, now = Date.now()): string {
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`)
  return prefix + base62((BigInt(now) << 80n) | random)
}

/** 12 characters with a letter among them, so that a numeric id is never one (decision 30). */
export function newHash(): string {
  const hash = randomText(12)
  return /[A-Za-z]/.test(hash) ? hash : newHash()
}

export const randomText = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(62)]).join('')

export const isHash = (text: string): boolean => /^(?=.*[A-Za-z])[0-9A-Za-z]{12}$/.test(text)
