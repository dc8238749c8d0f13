import type { BrokenRule } from '../../../kernel/broken-rule.ts'
import { emailKey } from '../../../kernel/email.ts'
import { invalid } from '../../../kernel/errors.ts'
import { addressesOf, asciiDomain, canonicalRange, rangesAround } from '../../../kernel/net.ts'
import { Email } from '../../../kernel/shapes.ts'
import type { BlocklistType } from './schema.ts'

const ANY_LOCAL_PART = '*@'
const BITS_PER_BYTE = 8

/** Returns the canonical form of a value, or undefined if it is not a valid value of the type. */
export const canonicalValue = (type: BlocklistType, text: string): string | undefined =>
  type === 'email' ? canonicalEmail(text.trim()) : canonicalRange(text.trim())

function canonicalEmail(text: string): string | undefined {
  const atIndex = text.lastIndexOf('@')
  if (atIndex < 1) return undefined
  const local = text.slice(0, atIndex)
  const domain = asciiDomain(text.slice(atIndex + 1))
  const isDomain = local === '*'
  const { data } = Email.safeParse(`${isDomain ? 'x' : local}@${domain ?? ''}`)
  if (!isDomain) return local.startsWith('*') ? undefined : data
  // All of `com` and an IP address are typing errors.
  const isName = domain?.includes('.') && !canonicalRange(domain)
  return isName && data ? `${ANY_LOCAL_PART}${domain}` : undefined
}

const VALUE_ERRORS: Record<BlocklistType, string> = {
  email: 'Use an email address, or *@example.com for all addresses of a domain.',
  ip: 'Use an IPv4 or IPv6 address, or a range such as 192.0.2.0/24 or 2001:db8::/32. Write no leading zeros.',
}

const VALUE_RULES: Record<BlocklistType, BrokenRule> = {
  email: { rule: 'format', format: 'email' },
  ip: { rule: 'format', format: 'ip_range' },
}

/** Returns the canonical form of a value in a request body, or throws VALIDATION_FAILED. */
export function readValue(type: BlocklistType, text: string): string {
  const value = canonicalValue(type, text)
  if (value === undefined) throw invalid('value', VALUE_ERRORS[type], { ...VALUE_RULES[type] })
  return value
}

/** Returns the canonical forms of the value in a filter. An invalid value has none and matches nothing. */
export const filterValues = (text: string): string[] =>
  (['email', 'ip'] as const).flatMap((type) => canonicalValue(type, text) ?? [])

/** Returns true for the email address of one customer, false for a domain or an IP address. */
export const isOneCustomer = (type: BlocklistType, value: string): boolean =>
  type === 'email' && !value.startsWith(ANY_LOCAL_PART)

/** Returns the value that blocks an address, which has its domain in ASCII. */
export const blockedEmail = (email: string): string => emailKey(email)

/**
 * Returns the keys by which the blocklist is searched for an order: the values that match the email, and
 * the ranges that can contain the IP address.
 */
export function blocklistKeysOf(email: string | undefined, ip?: string | null) {
  const ips = ip ? addressesOf(ip) : []
  const ranges = ips.flatMap((address) => rangesAround(address, BITS_PER_BYTE))
  const address = email === undefined ? undefined : blockedEmail(email)
  const values =
    address === undefined
      ? []
      : [address, `${ANY_LOCAL_PART}${address.slice(address.lastIndexOf('@') + 1)}`]
  return { values, ips, ranges }
}
