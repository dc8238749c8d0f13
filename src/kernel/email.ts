import { asciiDomain } from './net.ts'

/** The lengths of RFC 5321, 4.5.3.1 and the erratum 1690. */
const LOCAL_PART_MAX = 64
export const EMAIL_MAX = 254

/** The characters of the local part in the production of the HTML standard. */
const LOCAL_PART = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i
/** A label in that production: 1 to 63 characters, without a hyphen at its beginning or end. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
/** Everything else in ASCII would be decoded or removed when the domain is written in ASCII. */
const DOMAIN_AS_TYPED = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu

/**
 * Returns true for a valid email address of the HTML standard with the lengths of RFC 5321 (decision 183). A domain
 * may have letters of all scripts, and must then have a valid ASCII form.
 */
export function isEmail(text: string): boolean {
  const [local, domain] = partsOf(text)
  const ascii = asciiEmail(text)
  return (
    ascii !== undefined &&
    ascii.length <= EMAIL_MAX &&
    text.length <= EMAIL_MAX &&
    local.length <= LOCAL_PART_MAX &&
    LOCAL_PART.test(local) &&
    DOMAIN_AS_TYPED.test(domain) &&
    ascii
      .slice(local.length + 1)
      .split('.')
      .every((label) => LABEL.test(label))
  )
}

/**
 * Returns an address in lower case with its domain in ASCII (`xn--…`), or undefined if the domain has no such form.
 * Two addresses are equal if this text is equal, and mail servers accept no other form.
 */
export function asciiEmail(text: string): string | undefined {
  const [local, domain] = partsOf(text.toLowerCase())
  // An ASCII domain is not changed: as a host of a URL, `1.1` would become an IPv4 address.
  const isAscii = /^[\x21-\x7e]*$/.test(domain)
  const ascii = isAscii ? domain : asciiDomain(domain)
  return ascii ? `${local}@${ascii}` : undefined
}

function partsOf(text: string): [local: string, domain: string] {
  const at = text.lastIndexOf('@')
  return at < 0 ? ['', ''] : [text.slice(0, at), text.slice(at + 1)]
}
