import { canonicalIp, HOST_NAME_ERROR, ipv6Words, isHostName, rangeMatcher } from '../kernel/net.ts'
import { BACKSLASH_ERROR } from '../kernel/url-problem.ts'

type RefusalReason =
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
  message: string
}

/** The parts of a URL to which requests may be sent. */
export interface Target {
  /** Scheme, host and port, without a trailing dot. */
  origin: string
  isSecure: boolean
  /** A name in lower case, or an address without brackets. */
  host: string
  port: number
  /** Path and query. */
  path: string
}

const URL_MAX = 2048

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

/** The forbidden ranges within 2000::/3. All addresses outside of 2000::/3 are forbidden. */
const FORBIDDEN_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isForbiddenIpv4 = rangeMatcher(FORBIDDEN_IPV4)
const isGlobalIpv6 = rangeMatcher(['2000::/3'])
const isForbiddenIpv6 = rangeMatcher(FORBIDDEN_IPV6)

/** The ranges whose low 32 bits are an IPv4 address: mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96). */
const EMBEDDING_IPV4 = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
]

/** The ports of services with line or frame protocols, into which a POST could inject commands. */
const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143],
  ...[161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554],
  ...[556, 563, 587, 601, 623, 636, 853, 873, 989, 990, 992, 993, 995, 1433, 1521, 1719, 1720],
  ...[1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060],
  ...[5061, 5432, 5672, 5900, 5984, 6000, 6379, 6380, 6432, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6697, 8125, 9042, 9092, 9200, 9300, 10080, 10250, 10255, 11211, 27017, 27018, 27019],
])

/** True if no request may be sent to this address, or if the text is not an address (decision 15). */
export function isForbiddenAddress(ip: string): boolean {
  const address = canonicalIp(ip)
  if (address === undefined) return true
  if (!address.includes(':')) return isForbiddenIpv4(address)
  const ipv4 = embeddedIpv4(address)
  if (ipv4 !== undefined) return isForbiddenIpv4(ipv4)
  return !isGlobalIpv6(address) || isForbiddenIpv6(address)
}

function embeddedIpv4(ipv6: string): string | undefined {
  const groups = ipv6Words(ipv6)
  const isEmbedding = EMBEDDING_IPV4.some((prefix) =>
    prefix.every((group, index) => groups[index] === group),
  )
  if (!isEmbedding) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** True if the operator allowed this lower-case host. An allowed IPv6 address may have brackets (decision 15). */
export const isAllowedHost = (host: string, allowedHosts: ReadonlySet<string>): boolean =>
  allowedHosts.has(host) || allowedHosts.has(`[${host}]`)

/** True for `localhost` and all names under it, which resolve to this machine. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

/**
 * Parses a URL, or returns the reason why no request may be sent to it (decisions 15 and 53). Non-ASCII host
 * names must be in xn-- form. A fragment is refused, because it would never be sent.
 */
export function checkTarget(
  url: string,
  allowedHosts: ReadonlySet<string>,
): Target | RefusedTarget {
  const refusal = refusalOfText(url)
  if (refusal) return refusal
  if (!URL.canParse(url)) return refusedTarget('not_a_url', 'This is not a valid URL.')
  const parsedUrl = new URL(url)
  const host = parsedUrl.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isSecure = parsedUrl.protocol === 'https:'
  const port = parsedUrl.port === '' ? (isSecure ? 443 : 80) : Number(parsedUrl.port)
  const target = {
    origin: `${parsedUrl.protocol}//${host.includes(':') ? `[${host}]` : host}${parsedUrl.port && `:${port}`}`,
    isSecure,
    host,
    port,
    path: parsedUrl.pathname + parsedUrl.search,
  }
  return refusalOfTarget(target, { isAllowed: isAllowedHost(host, allowedHosts) }) ?? target
}

const refusedTarget = (refusal: RefusalReason, message: string): RefusedTarget => ({
  refusal,
  message,
})

const WHOLE_URL_ERROR = 'Write a whole address, such as https://example.com/hook.'

/**
 * Refuses texts that `new URL` would repair silently: it removes tabs and line ends, turns backslashes into
 * slashes and adds missing slashes.
 */
function refusalOfText(url: string): RefusedTarget | undefined {
  if (url.length > URL_MAX) return refusedTarget('too_long', `Write at most ${URL_MAX} characters.`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  if (/[\u0000-\u0020\u007f]/.test(url)) {
    return refusedTarget(
      'control_characters',
      'Remove spaces, line ends and control characters, or percent-encode them.',
    )
  }
  if (/[^\u0021-\u007e]/.test(url)) {
    return refusedTarget(
      'non_ascii',
      'Use only ASCII. Write the host name in its xn-- form, and percent-encode the path and the query.',
    )
  }
  if (url.includes('\\')) return refusedTarget('not_a_url', BACKSLASH_ERROR)
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(url) ?? []
  if (authority === undefined) return refusedTarget('not_a_url', WHOLE_URL_ERROR)
  if (!/^https?$/i.test(scheme ?? ''))
    return refusedTarget('scheme', 'Use an address that begins with https://.')
  if (authority.includes('@') || hasUserInfo(url)) {
    return refusedTarget('user_info', 'Remove the user name and the password.')
  }
  if (authority === '') return refusedTarget('not_a_url', WHOLE_URL_ERROR)
  if (url.includes('#'))
    return refusedTarget('fragment', 'Remove the fragment (#…). It is never sent.')
  return undefined
}

/** Parses the URL as clients do, so that no notation hides a user name. */
function hasUserInfo(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

function refusalOfTarget(
  { isSecure, host, port }: Target,
  { isAllowed }: { isAllowed: boolean },
): RefusedTarget | undefined {
  if (FORBIDDEN_PORTS.has(port))
    return refusedTarget('port', `Use another port. Port ${port} belongs to another service.`)
  if (isAllowed) return undefined
  if (!isSecure) return refusedTarget('scheme', 'Use an address that begins with https://.')
  const isForbidden = canonicalIp(host) ? isForbiddenAddress(host) : isLocalName(host)
  if (isForbidden)
    return refusedTarget(
      'forbidden_address',
      'Use a public address. This address is private or reserved.',
    )
  if (!canonicalIp(host) && !isHostName(host)) return refusedTarget('host', HOST_NAME_ERROR)
  return undefined
}
