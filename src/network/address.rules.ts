import { canonicalIp, rangeMatcher } from '../kernel/net.ts'

export type RefusalReason =
  | 'too_long'
  | 'control_characters'
  | 'non_ascii'
  | 'not_a_url'
  | 'scheme'
  | 'user_info'
  | 'fragment'
  | 'host'
  | 'port'
  | 'forbidden_address'

export interface RefusedTarget {
  refusal: RefusalReason
  /** A sentence that is safe to show. */
  why: string
}

/** The parts of a URL that may be called. */
export interface Target {
  /** Scheme, host and port, without a trailing dot. */
  origin: string
  secure: boolean
  /** A name in lower case, or an address without brackets. */
  host: string
  port: number
  /** Path and query. */
  path: string
}

const URL_MAX = 2048
const NAME_MAX = 253

/** Ranges that are not public (decision 15). */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's WireServer: a public number, but reachable from inside every Azure machine.
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Forbidden ranges within 2000::/3. Everything outside of it is forbidden anyway. */
const FORBIDDEN_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isForbiddenIpv4 = rangeMatcher(FORBIDDEN_IPV4)
const isGlobalIpv6 = rangeMatcher(['2000::/3'])
const isForbiddenIpv6 = rangeMatcher(FORBIDDEN_IPV6)

/**
 * Ranges whose low 32 bits are an IPv4 address: mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96).
 */
const EMBEDDING_IPV4 = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
]

/** Ports of services with line or frame protocols that a POST could inject commands into. */
const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143],
  ...[161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554],
  ...[556, 563, 587, 601, 623, 636, 853, 873, 989, 990, 992, 993, 995, 1433, 1521, 1719, 1720],
  ...[1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060],
  ...[5061, 5432, 5672, 5900, 5984, 6000, 6379, 6380, 6432, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6697, 8125, 9042, 9092, 9200, 9300, 10080, 10250, 10255, 11211, 27017, 27018, 27019],
])

/**
 * True if webhooks may never reach this address, or if the text is not an address (decision 15).
 */
export function isForbiddenAddress(ip: string): boolean {
  const address = canonicalIp(ip)
  if (address === undefined) return true
  if (!address.includes(':')) return isForbiddenIpv4(address)
  const ipv4 = embeddedIpv4(address)
  if (ipv4 !== undefined) return isForbiddenIpv4(ipv4)
  return !isGlobalIpv6(address) || isForbiddenIpv6(address)
}

function embeddedIpv4(ipv6: string): string | undefined {
  const groups = groupsOf(ipv6)
  const embeds = EMBEDDING_IPV4.some((prefix) => prefix.every((group, at) => groups[at] === group))
  if (!embeds) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(ipv6: string): number[] {
  // `URL` writes an IPv4 tail as two groups, so all parts are hexadecimal.
  const [head = '', tail = ''] = new URL(`http://[${ipv6}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groupsIn(head), groupsIn(tail)]
  const zeros = new Array<number>(8 - before.length - after.length).fill(0)
  return [...before, ...zeros, ...after]
}

const groupsIn = (part: string): number[] =>
  part
    .split(':')
    .filter(Boolean)
    .map((group) => Number.parseInt(group, 16))

/**
 * True if the operator allowed this host (lower case, IPv6 with or without brackets; decision 15).
 */
export const isAllowedHost = (host: string, allowedHosts: ReadonlySet<string>): boolean =>
  allowedHosts.has(host) || allowedHosts.has(`[${host}]`)

/** `localhost` and all names under it, which resolve to this machine. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

/**
 * Parses a URL, or returns why it may not be called (decisions 15 and 53). Non-ASCII host names
 * must be in xn-- form. A fragment is refused, because it would never be sent.
 */
export function checkTarget(
  url: string,
  allowedHosts: ReadonlySet<string>,
): Target | RefusedTarget {
  const fault = faultOfText(url)
  if (fault) return fault
  if (!URL.canParse(url)) return refuse('not_a_url', 'This is not a valid URL.')
  const parsed = new URL(url)
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const secure = parsed.protocol === 'https:'
  const port = parsed.port === '' ? (secure ? 443 : 80) : Number(parsed.port)
  const target = {
    origin: `${parsed.protocol}//${host.includes(':') ? `[${host}]` : host}${parsed.port && `:${port}`}`,
    secure,
    host,
    port,
    path: parsed.pathname + parsed.search,
  }
  return faultOfTarget(target, isAllowedHost(host, allowedHosts)) ?? target
}

const refuse = (refusal: RefusalReason, why: string): RefusedTarget => ({ refusal, why })

// `new URL` removes tabs and line ends, turns backslashes into slashes and adds missing slashes.
// Such URLs are refused first, instead of being repaired silently.
const WHOLE_URL = 'Write a whole address, such as https://example.com/hook.'

function faultOfText(url: string): RefusedTarget | undefined {
  if (url.length > URL_MAX) return refuse('too_long', `Write at most ${URL_MAX} characters.`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  if (/[\u0000-\u0020\u007f]/.test(url)) {
    return refuse(
      'control_characters',
      'Remove spaces, line ends and control characters, or percent-encode them.',
    )
  }
  if (/[^\u0021-\u007e]/.test(url)) {
    return refuse(
      'non_ascii',
      'Use ASCII only: write a host name in its xn-- form, and percent-encode the rest.',
    )
  }
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(url) ?? []
  if (authority === undefined || url.includes('\\')) {
    return refuse('not_a_url', WHOLE_URL)
  }
  if (!/^https?$/i.test(scheme ?? ''))
    return refuse('scheme', 'Use an address that begins with https://.')
  if (authority.includes('@') || namesUser(url)) {
    return refuse('user_info', 'Remove the user name and the password.')
  }
  if (authority === '') return refuse('not_a_url', WHOLE_URL)
  if (url.includes('#')) return refuse('fragment', 'Remove the fragment (#…): it is never sent.')
  return undefined
}

/** Parsed like a client would, so that no notation hides a user name. */
function namesUser(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

function faultOfTarget(
  { secure, host, port }: Target,
  allowed: boolean,
): RefusedTarget | undefined {
  if (FORBIDDEN_PORTS.has(port))
    return refuse('port', `Use another port: ${port} belongs to another service.`)
  if (allowed) return undefined
  if (!secure) return refuse('scheme', 'Use an address that begins with https://.')
  const forbidden = canonicalIp(host) ? isForbiddenAddress(host) : isLocalName(host)
  if (forbidden)
    return refuse('forbidden_address', 'Use a public address: this one is private or reserved.')
  if (!canonicalIp(host) && !isHostName(host)) return refuse('host', 'The host name is not valid.')
  return undefined
}

const isHostName = (host: string): boolean =>
  host.length <= NAME_MAX && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
