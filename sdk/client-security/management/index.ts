import { type CommonOptions, lineOf, methodsOf, requireTexts } from '../../client/methods.ts'
import type { Management } from './api/client.gen.ts'
import { OPERATIONS } from './api/operations.gen.ts'

export type { Call, RawAnswer } from '../../client/call.ts'
export * from '../../client/errors.ts'
export type { List } from '../../client/list.ts'
export type { CommonOptions } from '../../client/methods.ts'
export type {
  AttemptReport,
  CallOptions,
  PostOptions,
  VersionOptions,
} from '../../client/transport.ts'
export type * from './api/client.gen.ts'

/** How to reach the management half of the Client Security API. */
export interface ManagementOptions extends CommonOptions {
  /** The address of the API, such as `https://shop.example.com/security/v1`. */
  url: string
  /** `sec_live_…` or `sec_test_…`. It is a secret: use it on servers only, never in a shipped program. */
  apiKey: string
}

const SECURITY_API = /^https?:\/\/[^/?#@]+(\/[^?#]*)?\/security\/v\d+\/?$/

/**
 * Creates a client for your server: apps, license keys, devices, server-side strings and files, settings.
 * Its calls have the form of `createClient` of `@tradepost/client`. A call that fails throws a
 * TradepostError of its kind; the API has no codes, so `code` is `REFUSED` if the server refused it.
 *
 * @throws {TypeError} If an option is missing, or `url` is not the address of a Client Security API.
 */
export function createManagementClient({ url, apiKey, ...options }: ManagementOptions): Management {
  requireTexts({ url, apiKey })
  if (!SECURITY_API.test(url) || !URL.canParse(url)) {
    throw new TypeError(
      '"url" has to end with /security/v1, such as https://shop.example.com/security/v1.',
    )
  }
  const headers = { authorization: `Bearer ${apiKey}` }
  return methodsOf(lineOf(url, headers, options), OPERATIONS) as Management
}
