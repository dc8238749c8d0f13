import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { type Clock, MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'
import { isAllowedHost, isForbiddenAddress, isLocalName } from './address.rules.ts'
import { createHostsFile } from './hosts-file.ts'

export type Resolution =
  | { addresses: readonly string[] }
  | { error_code: 'dns_error' | 'blocked_address'; why: string }

export interface HostResolver {
  resolve(host: string): Promise<Resolution>
  close(): void
}

export interface ResolverOptions {
  /** Lower-case hosts whose addresses are not vetted (decision 15). */
  allowedHosts: ReadonlySet<string>
  /** Name servers as `address:port`; by default those of the system. */
  servers?: readonly string[]
  hosts_file?: string
  clock?: Clock
}

type Answer = { addresses: readonly string[]; ttl_s: number } | { why: string }

interface Entry {
  answer: Promise<Answer>
  until: number
}

const QUERY_TIMEOUT_MS = 2 * SECOND_MS
const QUERY_TRIES = 2
const TTL_MIN_S = 5
const TTL_MAX_S = 60
const NEGATIVE_TTL_S = 5
const NAMES_MAX = 10_000
/** The addresses tried for one connection, for one second each. All addresses are vetted. */
const ADDRESSES_MAX = 8
const LOOPBACK = ['127.0.0.1', '::1']
const NOT_FOUND = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/**
 * Resolves a host and vets all its addresses; one forbidden address refuses the name (decision 15).
 * Answers are cached for their TTL, but at least 5 s and at most 60 s.
 */
export function createResolver(options: ResolverOptions): HostResolver {
  const { allowedHosts, servers, hosts_file = '/etc/hosts', clock = steadyClock } = options
  const readHosts = createHostsFile(hosts_file, clock)
  const client = createClient(servers, clock)
  const cache = new Map<string, Entry>()

  return {
    async resolve(host) {
      const answer = await addressesOf(host)
      if ('why' in answer) return { error_code: 'dns_error', why: answer.why }
      if (!isAllowedHost(host, allowedHosts) && answer.addresses.some(isForbiddenAddress)) {
        const why = 'The host name resolves to an address that may not be called.'
        return { error_code: 'blocked_address', why }
      }
      return { addresses: answer.addresses.slice(0, ADDRESSES_MAX) }
    },
    close: () => client().cancel(),
  }

  async function addressesOf(host: string): Promise<Answer> {
    if (isIP(host)) return { addresses: [host], ttl_s: 0 }
    if (isLocalName(host)) return { addresses: LOOPBACK, ttl_s: 0 }
    const addresses = (await readHosts()).get(host)
    return addresses ? { addresses, ttl_s: 0 } : cached(host)
  }

  function cached(name: string): Promise<Answer> {
    const cached = cache.get(name)
    if (cached && clock.now() < cached.until) return cached.answer
    cache.delete(name)
    const [oldest] = cache.keys()
    if (cache.size >= NAMES_MAX && oldest !== undefined) cache.delete(oldest)
    // Concurrent callers share one query.
    const answer = ask(client(), name).then((found) => {
      const ttl_s = 'why' in found ? NEGATIVE_TTL_S : found.ttl_s
      entry.until = clock.now() + ttl_s * SECOND_MS
      return found
    })
    const entry: Entry = { answer, until: Number.POSITIVE_INFINITY }
    cache.set(name, entry)
    return answer
  }
}

// dns.lookup has four threads, so one slow name server would stall all endpoints.
function createClient(servers: readonly string[] | undefined, clock: Clock): () => dns.Resolver {
  let client: dns.Resolver | undefined
  let until = 0
  return () => {
    if (client === undefined || (!servers && clock.now() >= until)) {
      // A c-ares client reads the system's name servers once; they change when a machine joins
      // another network.
      client = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
      if (servers) client.setServers(servers)
      until = clock.now() + MINUTE_MS
    }
    return client
  }
}

async function ask(client: dns.Resolver, name: string): Promise<Answer> {
  const results = await Promise.allSettled([
    client.resolve4(name, { ttl: true }),
    client.resolve6(name, { ttl: true }),
  ])
  const records = results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (records.length === 0) return { why: whyNone(results) }
  const ttl_s = Math.min(...records.map((record) => record.ttl))
  return {
    addresses: records.map((record) => record.address),
    ttl_s: Math.min(Math.max(ttl_s, TTL_MIN_S), TTL_MAX_S),
  }
}

function whyNone(results: readonly PromiseSettledResult<unknown>[]): string {
  const none = results.every(
    (each) => each.status === 'fulfilled' || NOT_FOUND.includes(each.reason.code),
  )
  return none ? 'The host name has no address.' : 'The name servers gave no answer.'
}
