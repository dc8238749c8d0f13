import { BlockList, isIP, isIPv4 } from 'node:net'

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

/**
 * The unit that rate limits count as one caller: an IPv4 address, or an IPv6 /64, which one
 * customer has.
 */
export function neighbourhoodOf(text: string): string {
  const ip = canonicalIp(text) ?? text
  if (isIP(ip) !== 6) return ip
  const [head = '', tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - words(head).length - words(tail).length
  const all = [...words(head), ...Array<string>(missing).fill('0'), ...words(tail ?? '')]
  return `${all.slice(0, 4).join(':')}::/64`
}
