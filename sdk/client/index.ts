import type { Tradepost } from './api/client.gen.ts'
import { OPERATIONS } from './api/operations.gen.ts'
import { Listing } from './list.ts'
import { contentOf, type Input, type Operation, urlOf } from './request.ts'
import { type Line, type PostOptions, transport } from './transport.ts'

export type * from './api/client.gen.ts'
export type { RefusalCode } from './api/codes.gen.ts'
export { TradepostError, type TradepostErrorCode } from './errors.ts'
export type { List } from './list.ts'
export type { CallOptions, PostOptions } from './transport.ts'

export interface ClientOptions {
  /** The address of the Store API, such as `https://shop.example.com/v1`. */
  url: string
  /** `sk_live_…` or `sk_test_…`. Whoever has it can use it: it belongs on servers only. */
  apiKey: string
  /** The id of the store. */
  storeHash: string
  /** For each try of a call, to the end of its answer. Default 30000. */
  timeout_ms?: number
  /** How often a call is repeated at most where that is safe. Default 4. */
  retries?: number
  /** In place of the global `fetch`, for proxies and logs. */
  fetch?: typeof fetch
}

const STORE_API = /^https?:\/\/[^/?#@]+(\/[^?#]*)?\/v\d+\/?$/
const TIMEOUT_MS = 30_000
const RETRIES = 4

/**
 * A client of a store: `tradepost.<area>.<verb>(…ids, body or query, options)`. Answers are what
 * stands beside `success`; refusals are thrown as TradepostError.
 */
export function createClient(options: ClientOptions): Tradepost {
  const line = lineOf(options)
  const areas = Object.entries<Record<string, Operation>>(OPERATIONS)
  const mapped = areas.map(([area, operations]) => {
    const methods = Object.entries(operations).map(([name, one]) => [name, methodOf(line, one)])
    return [area, Object.fromEntries(methods)]
  })
  return Object.fromEntries(mapped) as Tradepost
}

function lineOf({ url, apiKey, storeHash, ...options }: ClientOptions): Line {
  const { timeout_ms = TIMEOUT_MS, retries = RETRIES } = options
  for (const [name, value] of Object.entries({ url, apiKey, storeHash })) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`"${name}" is missing.`)
  }
  if (!STORE_API.test(url) || !URL.canParse(url)) {
    throw new TypeError('"url" has to end with /v1, such as https://shop.example.com/v1.')
  }
  return {
    url: url.replace(/\/$/, ''),
    headers: { 'x-api-key': apiKey, 'x-store-hash': storeHash },
    timeout_ms,
    retries,
    // Looked up at each call, so that what replaces the global one later is heard too.
    fetch: options.fetch ?? ((...args) => fetch(...args)),
  }
}

function methodOf(line: Line, operation: Operation) {
  const { path, takes, list } = operation
  const ids = path.match(/:\w+/g)?.length ?? 0
  return (...args: unknown[]) => {
    const input = takes && (args[ids] as Input | undefined)
    const options = (args[takes ? ids + 1 : ids] ?? {}) as PostOptions
    const send = async (query: Input) => {
      const url = urlOf(line.url, path, args, query)
      const content = takes === 'body' ? contentOf(input) : undefined
      return transport(line, { operation, url, content }, options)
    }
    const query = takes === 'query' ? (input ?? {}) : {}
    if (list === undefined) return send(query)
    return new Listing((page) => send(page) as Promise<Record<string, unknown>>, list, query)
  }
}
