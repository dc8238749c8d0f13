import type { Tradepost } from './api/client.gen.ts'
import { OPERATIONS } from './api/operations.gen.ts'
import { type CommonOptions, connectionOf, methodsOf, requireTexts } from './methods.ts'

export type * from './api/client.gen.ts'
export type { ErrorDetails, ErrorProblem, RefusalCode } from './api/codes.gen.ts'
export type { Call, RawAnswer } from './call.ts'
export * from './errors.ts'
export type { List } from './list.ts'
export type { CommonOptions } from './methods.ts'
export type { AttemptReport, CallOptions, PostOptions } from './transport.ts'

/** The options of a client. An option may be a variable of the environment: if it is not set, `createClient` throws. */
export interface ClientOptions extends CommonOptions {
  /** The address of the Store API, such as `https://shop.example.com/v1`. */
  url: string | undefined
  /** `sk_live_…` or `sk_test_…`. The key is a secret, so use it only on servers. */
  apiKey: string | undefined
  /** The id of the store. */
  storeHash: string | undefined
}

const STORE_API = /^https?:\/\/[^/?#@]+(\/[^?#]*)?\/v\d+\/?$/

/**
 * Creates a client of a store: `tradepost.<area>.<verb>(…ids, body or query, options)`. A call returns the
 * answer without `success`. A call that fails throws a subclass of TradepostError, such as a NotFoundError.
 *
 * @throws {TypeError} If an option is missing, or `url` is not the address of a Store API.
 */
export function createClient(clientOptions: ClientOptions): Tradepost {
  const { url, apiKey, storeHash, ...options } = requireTexts(
    clientOptions,
    'url',
    'apiKey',
    'storeHash',
  )
  if (!STORE_API.test(url) || !URL.canParse(url)) {
    throw new TypeError('"url" has to end with /v1, such as https://shop.example.com/v1.')
  }
  const headers = { 'x-api-key': apiKey, 'x-store-hash': storeHash }
  return methodsOf(connectionOf(url, headers, options), OPERATIONS) as Tradepost
}
