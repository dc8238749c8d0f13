import { invalid } from '../../../kernel/errors.ts'
import { asciiDomain, canonicalRange, rangesAround } from '../../../kernel/net.ts'
import { Email } from '../../../kernel/shapes.ts'
import type { BlocklistType } from './schema.ts'

const ANYBODY = '*@'

/** The canonical form of a value, or undefined if the type has no such value. */
export const canonicalValue = (type: BlocklistType, text: string): string | undefined =>
  type === 'email' ? canonicalEmail(text.trim()) : canonicalRange(text.trim())

function canonicalEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  if (at < 1) return undefined
  const local = text.slice(0, at)
  const domain = asciiDomain(text.slice(at + 1))
  const isDomain = local === '*'
  const { data } = Email.safeParse(`${isDomain ? 'x' : local}@${domain ?? ''}`)
  return isDomain && data ? `${ANYBODY}${domain}` : data
}

const FORMS: Record<BlocklistType, string> = {
  email: 'Use an e-mail address, or *@example.com for all addresses of a domain.',
  ip: 'Use an IPv4 or IPv6 address, or a range such as 192.0.2.0/24 or 2001:db8::/32. Write no leading zeros.',
}

/** The canonical form of a value that was sent. */
export function readValue(type: BlocklistType, text: string): string {
  const value = canonicalValue(type, text)
  if (value === undefined) throw invalid('value', FORMS[type])
  return value
}

/** The values of a filter: an invalid value matches nothing. */
export const filterValues = (text: string): string[] =>
  (['email', 'ip'] as const).flatMap((type) => canonicalValue(type, text) ?? [])

/** True for the address of one customer, false for a domain or an IP address. */
export const isOneCustomer = (type: BlocklistType, value: string): boolean =>
  type === 'email' && !value.startsWith(ANYBODY)

/** The entries that block an order of this customer from this address: by value, or by a range around it. */
export function blockedBy(email: string, ip?: string | null) {
  const around = ip ? rangesAround(ip, 8) : []
  const values = [email, `${ANYBODY}${email.slice(email.lastIndexOf('@') + 1)}`]
  return { values, ip: around.at(-1) ?? null, around }
}
