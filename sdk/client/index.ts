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
  /** `sk_live_…` or `sk_test_…`. It is a secret: use it on servers only. */
  apiKey: string
  /** The id of the store. */
  storeHash: string
  /** Timeout of each attempt, to the end of the answer. Default 30000. */
  timeout_ms?: number
  /** Maximum number of repeats of a call that is safe to repeat. Default 4. */
  retries?: number
  /** Replaces the global `fetch`, for example to use a proxy or to log calls. */
  fetch?: typeof fetch
}

const STORE_API = /^https?:\/\/[^/?#@]+(\/[^?#]*)?\/v\d+\/?$/
const TIMEOUT_MS = 30_000
const RETRIES = 4

/**
 * Creates a client of a store: `tradepost.<area>.<verb>(…ids, body or query, options)`. A call returns the
 * answer without `success`. A refused call throws a TradepostError.
 */
export function createClient(options: ClientOptions): Tradepost {
  const line = lineOf(options)
  const areas = Object.entries<Record<string, Operation>>(OPERATIONS)
  const mapped = areas.map(([area, operations]) => {
    const methods = Object.entries(operations).map(([name, operation]) => [
      name,
      methodOf(line, operation),
    ])
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
    // Reads the global at each call, so that a later replacement of it is used.
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
