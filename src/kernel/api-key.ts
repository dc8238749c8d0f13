import { crc32 } from 'node:zlib'
import { base62, randomText } from './ids.ts'

export type KeyKind = 'store' | 'security'

const PREFIXES = {
  store: { live: 'sk_live_', test: 'sk_test_' },
  security: { live: 'sec_live_', test: 'sec_test_' },
} as const

const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6

/** Returns the prefix of keys of a kind and a side. */
export const prefixOf = (kind: KeyKind, livemode: boolean): string =>
  PREFIXES[kind][livemode ? 'live' : 'test']

/**
 * Creates a key: its prefix, 34 random characters (about 202 bits), and a checksum of 6 characters that
 * detects typing errors.
 */
export function newApiKey(kind: KeyKind, livemode: boolean): string {
  const text = prefixOf(kind, livemode) + randomText(RANDOM_LENGTH)
  return text + checksum(text)
}

/** Returns true if a text has the form and checksum of a key. */
export function isApiKey(kind: KeyKind, text: string): boolean {
  const prefix = Object.values(PREFIXES[kind]).find((item) => text.startsWith(item))
  if (!prefix || text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return false
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)))
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH)
