import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { type Clock, MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'
import { isAllowedHost, isForbiddenAddress, isLocalName } from './address.rules.ts'
import { createHostsFile } from './hosts-file.ts'

export type Resolution =
  | { addresses: readonly string[] }
  | { error_code: 'dns_error' | 'blocked_address'; message: string }

export interface HostResolver {
  resolve(host: string): Promise<Resolution>
  close(): void
}

interface ResolverOptions {
  /** Lower-case hosts whose addresses are not vetted (decision 15). */
  allowedHosts: ReadonlySet<string>
  /** Name servers as `address:port`; by default those of the system. */
  servers?: readonly string[]
  hosts_file?: string
  clock?: Clock
}

type DnsAnswer = { addresses: readonly string[]; ttl_s: number } | { message: string }

interface ResolvedEntry {
  answer: Promise<DnsAnswer>
  expiresAt: number
}

const QUERY_TIMEOUT_MS = 2 * SECOND_MS
const QUERY_ATTEMPTS = 2
const TTL_MIN_S = 5
const TTL_MAX_S = 60
const NEGATIVE_TTL_S = 5
const NAMES_MAX = 10_000
/** The maximum number of addresses that are tried for a connection, one second each. All addresses are vetted. */
const ADDRESSES_MAX = 8
const LOOPBACK = ['127.0.0.1', '::1']
const NOT_FOUND_CODES = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/**
 * Creates a resolver that vets all addresses of a host. One forbidden address refuses the host (decision 15).
 * Answers are cached for their TTL, but at least 5 s and at most 60 s.
 */
export function createResolver(options: ResolverOptions): HostResolver {
  const { allowedHosts, servers, hosts_file = '/etc/hosts', clock = steadyClock } = options
  const readHosts = createHostsFile(hosts_file, clock)
  const client = createClient(servers, clock)
  const cache = new Map<string, ResolvedEntry>()

  return {
    async resolve(host) {
      const answer = await addressesOf(host)
      if ('message' in answer) return { error_code: 'dns_error', message: answer.message }
      if (!isAllowedHost(host, allowedHosts) && answer.addresses.some(isForbiddenAddress)) {
        const message =
          'The host name resolves to a private or reserved address. Use a public host.'
        return { error_code: 'blocked_address', message }
      }
      return { addresses: answer.addresses.slice(0, ADDRESSES_MAX) }
    },
    close: () => client().cancel(),
  }

  async function addressesOf(host: string): Promise<DnsAnswer> {
    if (isIP(host)) return { addresses: [host], ttl_s: 0 }
    if (isLocalName(host)) return { addresses: LOOPBACK, ttl_s: 0 }
    const addresses = (await readHosts()).get(host)
    return addresses ? { addresses, ttl_s: 0 } : lookUp(host)
  }

  function lookUp(name: string): Promise<DnsAnswer> {
    const existingEntry = cache.get(name)
    if (existingEntry && clock.now() < existingEntry.expiresAt) return existingEntry.answer
    cache.delete(name)
    const [oldest] = cache.keys()
    if (cache.size >= NAMES_MAX && oldest !== undefined) cache.delete(oldest)
    // Concurrent callers share one query.
    const answer = query(client(), name).then((result) => {
      const ttl_s = 'message' in result ? NEGATIVE_TTL_S : result.ttl_s
      entry.expiresAt = clock.now() + ttl_s * SECOND_MS
      return result
    })
    const entry: ResolvedEntry = { answer, expiresAt: Number.POSITIVE_INFINITY }
    cache.set(name, entry)
    return answer
  }
}

// Uses c-ares, because `dns.lookup` has only four threads, so one slow name server would stall all endpoints.
function createClient(servers: readonly string[] | undefined, clock: Clock): () => dns.Resolver {
  let client: dns.Resolver | undefined
  let expiresAt = 0
  return () => {
    if (client === undefined || (!servers && clock.now() >= expiresAt)) {
      // A client reads the system's name servers once. It is replaced every minute, because they change when the
      // machine joins another network.
      client = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_ATTEMPTS })
      if (servers) client.setServers(servers)
      expiresAt = clock.now() + MINUTE_MS
    }
    return client
  }
}

async function query(client: dns.Resolver, name: string): Promise<DnsAnswer> {
  const results = await Promise.allSettled([
    client.resolve4(name, { ttl: true }),
    client.resolve6(name, { ttl: true }),
  ])
  const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (records.length === 0) return { message: noAddressReason(results) }
  const ttl_s = Math.min(...records.map((record) => record.ttl))
  return {
    addresses: records.map((record) => record.address),
    ttl_s: Math.min(Math.max(ttl_s, TTL_MIN_S), TTL_MAX_S),
  }
}

function noAddressReason(results: readonly PromiseSettledResult<unknown>[]): string {
  const hasNoAddress = results.every(
    (result) => result.status === 'fulfilled' || NOT_FOUND_CODES.includes(result.reason.code),
  )
  return hasNoAddress ? 'The host name has no address.' : 'The name servers gave no answer.'
}
