import { type CommonOptions, connectionOf, methodsOf, requireTexts } from '../../client/methods.ts'
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

/** The options of a management client. If `url` or `apiKey` is undefined, `createManagementClient` throws. */
export interface ManagementOptions extends CommonOptions {
  /** The address of the API, such as `https://shop.example.com/security/v1`. */
  url: string | undefined
  /** `sec_live_…` or `sec_test_…`. The key is a secret, so use it only on servers, never in a shipped program. */
  apiKey: string | undefined
}

const SECURITY_API = /^https?:\/\/[^/?#@]+(\/[^?#]*)?\/security\/v\d+\/?$/

/**
 * Creates a client for your server: apps, license keys, devices, server-side strings and files, settings.
 * Its calls have the same form as those of `createClient`. A call that fails throws a subclass of TradepostError.
 * The API has no error codes, so `code` is `REFUSED` for every refusal.
 *
 * @throws {TypeError} If an option is missing, or `url` is not the address of a Client Security API.
 */
export function createManagementClient(clientOptions: ManagementOptions): Management {
  const { url, apiKey, ...options } = requireTexts(clientOptions, 'url', 'apiKey')
  if (!SECURITY_API.test(url) || !URL.canParse(url)) {
    throw new TypeError(
      '"url" has to end with /security/v1, such as https://shop.example.com/security/v1.',
    )
  }
  const headers = { authorization: `Bearer ${apiKey}` }
  return methodsOf(connectionOf(url, headers, options), OPERATIONS) as Management
}
