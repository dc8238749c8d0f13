import type { Tradepost } from './api/client.gen.ts'
import { OPERATIONS } from './api/operations.gen.ts'
import { type CommonOptions, lineOf, methodsOf, requireTexts } from './methods.ts'

export type * from './api/client.gen.ts'
export type { ErrorDetails, ErrorProblem, RefusalCode } from './api/codes.gen.ts'
export type { Call, RawAnswer } from './call.ts'
export * from './errors.ts'
export type { List } from './list.ts'
export type { CommonOptions } from './methods.ts'
export type { AttemptReport, CallOptions, PostOptions } from './transport.ts'

/** How to reach a store. */
export interface ClientOptions extends CommonOptions {
  /** The address of the Store API, such as `https://shop.example.com/v1`. */
  url: string
  /** `sk_live_…` or `sk_test_…`. It is a secret: use it on servers only. */
  apiKey: string
  /** The id of the store. */
  storeHash: string
}

const STORE_API = /^https?:\/\/[^/?#@]+(\/[^?#]*)?\/v\d+\/?$/

/**
 * Creates a client of a store: `tradepost.<area>.<verb>(…ids, body or query, options)`. A call returns the
 * answer without `success`. A call that fails throws a TradepostError of its kind, such as a NotFoundError.
 *
 * @throws {TypeError} If an option is missing, or `url` is not the address of a Store API.
 */
export function createClient({ url, apiKey, storeHash, ...options }: ClientOptions): Tradepost {
  requireTexts({ url, apiKey, storeHash })
  if (!STORE_API.test(url) || !URL.canParse(url)) {
    throw new TypeError('"url" has to end with /v1, such as https://shop.example.com/v1.')
  }
  const headers = { 'x-api-key': apiKey, 'x-store-hash': storeHash }
  return methodsOf(lineOf(url, headers, options), OPERATIONS) as Tradepost
}
