import { asciiDomain, unicodeDomain } from './net.ts'

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
 * Mail servers accept no other form.
 */
export function asciiEmail(text: string): string | undefined {
  const [local, domain] = partsOf(text.toLowerCase())
  const ascii = asciiDomain(domain)
  return ascii ? `${local}@${ascii}` : undefined
}

/** Returns true if two addresses are equal: by their ASCII form (decision 183). */
export const sameEmail = (a: string, b: string): boolean => emailKey(a) === emailKey(b)

/** Returns the text that is the same for all forms of an address. */
export const emailKey = (email: string): string => asciiEmail(email) ?? email.toLowerCase()

/**
 * Returns an address as it is stored. A domain in ASCII is not changed. Any other is written in its canonical Unicode
 * form, so that an address has at most the two forms of `emailForms` (decision 448).
 */
export function canonicalEmail(email: string): string {
  const [local, domain] = partsOf(email)
  const [form = domain] = domainForms(domain)
  return form === domain ? email : `${local}@${form}`
}

/**
 * Returns the forms in which an address may be stored, beginning with its own: one for an ordinary address, two if its
 * domain has a form in Unicode (decision 448).
 */
export function emailForms(text: string): string[] {
  const email = text.toLowerCase()
  const [local, domain] = partsOf(email)
  return domain === '' ? [email] : domainForms(domain).map((form) => `${local}@${form}`)
}

/** Returns addresses with all their forms, each once. */
export const withForms = (emails: readonly string[]): string[] => [
  ...new Set(emails.flatMap((email) => [email, ...emailForms(email)])),
]

/**
 * Returns the texts to search for in stored addresses. If a text is an address, the end of one, or a complete domain,
 * these are its forms. All other texts are searched as they are.
 */
export function searchForms(text: string): string[] {
  const lowerCase = text.toLowerCase()
  const domainIndex = text.lastIndexOf('@') + 1
  const domain = lowerCase.slice(domainIndex)
  if (!domain.includes('.') || !DOMAIN_AS_TYPED.test(domain)) return [text]
  const forms = domainForms(domain).map((form) => lowerCase.slice(0, domainIndex) + form)
  return [text, ...forms.filter((form) => form !== lowerCase)]
}

/** A label that may have a form in Unicode. */
const ENCODED_LABEL = /(?:^|\.)xn--/

/** Returns the forms of a domain in lower case, the form to store for this text first. */
function domainForms(domain: string): string[] {
  const ascii = asciiDomain(domain)
  if (ascii === undefined || !(ENCODED_LABEL.test(ascii) || ascii !== domain)) return [domain]
  const unicode = unicodeDomain(ascii)
  const forms = ascii === domain ? [ascii, unicode] : [unicode, ascii]
  return [...new Set(forms)]
}

function partsOf(text: string): [local: string, domain: string] {
  const at = text.lastIndexOf('@')
  return at < 0 ? ['', ''] : [text.slice(0, at), text.slice(at + 1)]
}
