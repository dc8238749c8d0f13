import { BlockList, isIP, isIPv4 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

/** Returns the canonical text of an IP address. An IPv4-mapped IPv6 address becomes IPv4. */
export function canonicalIp(text: string): string | undefined {
  const [withoutZone = ''] = text.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1]
  if (mapped) return isIPv4(mapped) ? mapped : undefined
  const family = isIP(withoutZone)
  if (family !== 6 || !/ffff/i.test(withoutZone)) return family ? withoutZone : undefined
  const ip = parseIp(withoutZone)
  return ip.bits === 8 ? ip.words.join('.') : withoutZone
}

/**
 * Returns the addresses by which blocks know a caller: the canonical address, and the IPv4 address that is
 * embedded in it, if any. An entry for either one matches. Rules that trust an address use `canonicalIp`
 * instead, because anybody can send packets with an embedded address of somebody else.
 */
export function addressesOf(text: string): string[] {
  const ip = canonicalIp(text)
  if (ip === undefined) return []
  const ipv4 = isIPv4(ip) ? undefined : embeddedIpv4(ipv6Words(ip))
  return ipv4 === undefined ? [ip] : [ip, ipv4]
}

/**
 * Returns the IPv4 address in an address of NAT64 (64:ff9b::/96), of 6to4 (2002::/16), or of the IPv4-compatible
 * form `::192.0.2.1`. Addresses such as `::1` embed none, because 0.0.0.0/8 belongs to no host.
 */
function embeddedIpv4(words: readonly number[]): string | undefined {
  const [first, high6to4 = 0, low6to4 = 0] = words
  if (first === 0x2002) return ipv4Of(high6to4, low6to4)
  const [high = 0, low = 0] = words.slice(6)
  if (words.slice(2, 6).some((word) => word !== 0)) return undefined
  if (first === 0x64 && high6to4 === 0xff9b) return ipv4Of(high, low)
  return first === 0 && high6to4 === 0 && high > 0xff ? ipv4Of(high, low) : undefined
}

const ipv4Of = (high: number, low: number): string =>
  [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')

/**
 * Returns the trustworthy addresses of `X-Forwarded-For`, without ports and brackets: those after the
 * last entry that is not an address. The host that sent such an entry then counts as the caller: the next
 * entry to the right, or the peer of this process (decision 129).
 */
export function forwardedAddresses(header: string): string[] {
  const addresses: string[] = []
  const entries = header.split(',').map((entry) => entry.trim())
  for (const entry of entries.filter(Boolean).reverse()) {
    const ip = withoutPort(entry)
    if (ip === undefined) break
    addresses.unshift(ip)
  }
  return addresses
}

/** Reads `192.0.2.1:5678`, `[2001:db8::1]:443`, `[2001:db8::1]`, or a bare address. */
function withoutPort(entry: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1]
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? canonicalIp(bracketed) : undefined
  return canonicalIp(entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1'))
}

/**
 * Returns true if a text is an IP address or a range such as `10.0.0.0/8` or `2001:db8::/32`. Zone ids
 * are not allowed.
 */
export function isRange(text: string): boolean {
  const [address = '', bits, ...otherParts] = text.split('/')
  const family = isIP(address)
  if (!family || address.includes('%') || otherParts.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Returns a function that checks whether an address is in any of the ranges. */
export function rangeMatcher(ranges: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (text) => {
    const ip = canonicalIp(text)
    return ip !== undefined && list.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')
  }
}

/** The length of the prefix of all IPv4-mapped addresses, `::ffff:0:0/96`. */
const MAPPED_BITS = 96
const PREFIX = /^(0|[1-9]\d{0,2})$/

/**
 * Returns an address or a range in canonical form: host bits are cleared, IPv6 is written as in RFC 5952,
 * IPv4-mapped IPv6 becomes IPv4, and a range of one address becomes that address. One address with an
 * embedded IPv4 address becomes IPv4 too, but a range does not: 2002::/16 is not the whole of IPv4. Returns
 * undefined for other texts.
 */
export function canonicalRange(text: string): string | undefined {
  const [address = '', prefix, ...otherParts] = text.split('/')
  if (otherParts.length > 0 || address.includes('%') || !isIP(address)) return undefined
  const ip = parseIp(address)
  if (prefix === undefined) return oneAddress(ip)
  if (!PREFIX.test(prefix)) return undefined
  const size = Number(prefix)
  if (size > (isIPv4(address) ? 32 : 128)) return undefined
  if (size === 128) return oneAddress(ip)
  if (isIPv4(address) || ip.bits === 16) return formatRange(ip, size)
  // A mapped range that contains more than IPv4 is a range of IPv6.
  return size >= MAPPED_BITS
    ? formatRange(ip, size - MAPPED_BITS)
    : formatRange(parseIpv6(address), size)
}

const oneAddress = (ip: ParsedIp): string =>
  (ip.bits === 16 ? embeddedIpv4(ip.words) : undefined) ??
  formatRange(ip, ip.words.length * ip.bits)

/**
 * Returns the ranges that contain an address and whose prefix length is a multiple of `bits`, in
 * canonical form. The widest is the first and the address itself is the last.
 */
export function rangesAround(text: string, bits: 1 | 8): string[] {
  const [withoutZone = ''] = text.split('%', 1)
  if (!isIP(withoutZone)) return []
  const ip = parseIp(withoutZone)
  const size = ip.words.length * ip.bits
  return Array.from({ length: size / bits + 1 }, (_, index) => formatRange(ip, index * bits))
}

/** Returns true for the host names of this machine, as a URL contains them. */
export const isLoopbackName = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)

const NAME_MAX = 253
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
export const HOST_NAME_ERROR =
  'The host name is not valid. It has at most 253 characters, and each of its parts has 1 to 63 letters, digits and hyphens, with no hyphen first or last.'

/** Returns true for a host name or an IPv4 address as a parsed URL contains it, without a trailing dot. */
export const isHostName = (host: string): boolean =>
  host.length <= NAME_MAX && host.split('.').every((label) => LABEL.test(label))

/** Returns true if the host of a URL is an address or a possible name. `https://-/` has neither. */
export const hasHost = ({ hostname }: URL): boolean =>
  hostname.startsWith('[') || isHostName(hostname.replace(/\.$/, ''))

/**
 * Returns the ASCII form of a domain in lower case, or undefined if it has none. The rules are those of the host of a
 * URL, where `1.1` is the address 1.0.0.1. So a domain in ASCII is not changed, and digits of other scripts that would
 * become an address have no form.
 */
export function asciiDomain(text: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(text)) return text.toLowerCase()
  const ascii = domainToASCII(text)
  return ascii === '' || isIPv4(ascii) ? undefined : ascii
}

/** Returns the canonical Unicode form (UTS 46) of a domain in ASCII. A domain that has no other form is returned as it is. */
export function unicodeDomain(ascii: string): string {
  const unicode = domainToUnicode(ascii)
  return asciiDomain(unicode) === ascii ? unicode : ascii
}

/** An IPv4 address as four words of 8 bits, or an IPv6 address as eight words of 16 bits. */
interface ParsedIp {
  words: readonly number[]
  bits: 8 | 16
}

function parseIp(address: string): ParsedIp {
  if (isIPv4(address)) return { words: address.split('.').map(Number), bits: 8 }
  const ip = parseIpv6(address)
  const [high = 0, low = 0] = ip.words.slice(6)
  const isMapped = ip.words.slice(0, 5).every((word) => word === 0) && ip.words[5] === 0xffff
  if (!isMapped) return ip
  return { words: [high >> 8, high & 255, low >> 8, low & 255], bits: 8 }
}

const parseIpv6 = (address: string): ParsedIp => ({ words: ipv6Words(address), bits: 16 })

/** Returns the eight words of 16 bits of an IPv6 address. */
export const ipv6Words = (address: string): number[] =>
  hexWords(address).map((word) => Number.parseInt(word, 16))

function formatRange({ words, bits }: ParsedIp, prefix: number): string {
  const maskedWords = words.map((word, index) => {
    const prefixBits = Math.min(bits, Math.max(0, prefix - index * bits))
    return (word >> (bits - prefixBits)) << (bits - prefixBits)
  })
  const address = bits === 8 ? maskedWords.join('.') : formatIpv6(maskedWords)
  return prefix === words.length * bits ? address : `${address}/${prefix}`
}

/** Writes an IPv6 address. `::` replaces the longest run of zeros, or the first of several. */
function formatIpv6(words: readonly number[]): string {
  let [zerosStart, zerosLength] = [8, 1]
  for (let index = 0; index < 8; index++) {
    const start = index
    while (words[index] === 0) index++
    if (index - start > zerosLength) [zerosStart, zerosLength] = [start, index - start]
  }
  let text = ''
  for (let index = 0; index < 8; index++) {
    if (index < zerosStart || index >= zerosStart + zerosLength) {
      text += text === '' || text.endsWith(':') ? '' : ':'
      text += words[index]?.toString(16)
    } else if (index === zerosStart) text += '::'
  }
  return text
}

/**
 * Returns the network that rate limits count as one caller: an IPv4 address, or an IPv6 /64, which
 * usually belongs to one customer. An embedded IPv4 address counts as IPv4: the owner of one address has 65,536
 * networks of 6to4, and all of NAT64 is a single /64.
 */
export function networkOf(text: string): string {
  const ip = addressesOf(text).at(-1) ?? text
  if (isIP(ip) !== 6) return ip
  return `${hexWords(ip).slice(0, 4).join(':')}::/64`
}

/** Returns the eight words of an IPv6 address in hex. */
function hexWords(ip: string): string[] {
  const [head = '', tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const missingCount = tail === undefined ? 0 : 8 - words(head).length - words(tail).length
  return [...words(head), ...Array<string>(missingCount).fill('0'), ...words(tail ?? '')]
}
