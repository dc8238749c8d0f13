import { BlockList, isIP, isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'

/** The canonical text of an address; IPv4-mapped IPv6 becomes IPv4. */
export function canonicalIp(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return isIPv4(mapped) ? mapped : undefined
  return isIP(bare) ? bare : undefined
}

/**
 * The trustworthy part of `X-Forwarded-For`: addresses without ports and brackets, after the
 * right-most entry that is not an address. Such an entry counts as its sender, which is the entry
 * to its right or the caller of this process (decision 129).
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
 * True if a text is an address, or a range such as `10.0.0.0/8` or `2001:db8::/32`. Zone ids are
 * not allowed.
 */
export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (!family || address.includes('%') || rest.length > 0) return false
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

const PREFIX = /^(0|[1-9]\d{0,2})$/

/**
 * An address or a range in canonical form: host bits are cleared, IPv6 is written as in RFC 5952,
 * IPv4-mapped IPv6 becomes IPv4, and a range of one address is that address. Returns undefined if the
 * text is neither.
 */
export function canonicalRange(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || address.includes('%') || !isIP(address)) return undefined
  const ip = parseIp(address)
  if (prefix === undefined) return formatRange(ip, ip.words.length * ip.bits)
  if (!PREFIX.test(prefix)) return undefined
  const size = Number(prefix)
  if (size > (isIPv4(address) ? 32 : 128)) return undefined
  if (isIPv4(address) || ip.bits === 16) return formatRange(ip, size)
  // A mapped range that is wider than all of IPv4 stays a range of IPv6.
  return size >= 96 ? formatRange(ip, size - 96) : formatRange(parseIpv6(address), size)
}

/**
 * The ranges around an address whose sizes are a multiple of so many bits, the widest first and the address
 * itself last, all in canonical form.
 */
export function rangesAround(text: string, bits: 1 | 8): string[] {
  const bare = text.replace(/%.*$/, '')
  if (!isIP(bare)) return []
  const ip = parseIp(bare)
  const size = ip.words.length * ip.bits
  return Array.from({ length: size / bits + 1 }, (_, n) => formatRange(ip, n * bits))
}

/** The ASCII form of a domain in lower case, or undefined if it is no domain name. */
export const asciiDomain = (text: string): string | undefined =>
  domainToASCII(text).toLowerCase() || undefined

/** Four words of 8 bits, or eight of 16. */
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

const parseIpv6 = (address: string): ParsedIp => ({
  words: hexWords(address).map((word) => Number.parseInt(word, 16)),
  bits: 16,
})

function formatRange({ words, bits }: ParsedIp, prefix: number): string {
  const masked = words.map((word, at) => {
    const kept = Math.min(bits, Math.max(0, prefix - at * bits))
    return (word >> (bits - kept)) << (bits - kept)
  })
  const address = bits === 8 ? masked.join('.') : formatIpv6(masked)
  return prefix === words.length * bits ? address : `${address}/${prefix}`
}

/** The longest run of zeros is left out, the first one of several. */
function formatIpv6(words: readonly number[]): string {
  let [from, longest] = [8, 1]
  for (let at = 0; at < 8; at++) {
    const start = at
    while (words[at] === 0) at++
    if (at - start > longest) [from, longest] = [start, at - start]
  }
  let text = ''
  for (let at = 0; at < 8; at++) {
    if (at < from || at >= from + longest) {
      text += text === '' || text.endsWith(':') ? '' : ':'
      text += words[at]?.toString(16)
    } else if (at === from) text += '::'
  }
  return text
}

/**
 * The unit that rate limits count as one caller: an IPv4 address, or an IPv6 /64, which one
 * customer has.
 */
export function neighbourhoodOf(text: string): string {
  const ip = canonicalIp(text) ?? text
  if (isIP(ip) !== 6) return ip
  return `${hexWords(ip).slice(0, 4).join(':')}::/64`
}

/** The eight words of an IPv6 address. */
function hexWords(ip: string): string[] {
  const [head = '', tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - words(head).length - words(tail).length
  return [...words(head), ...Array<string>(missing).fill('0'), ...words(tail ?? '')]
}
