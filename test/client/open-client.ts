import {
  type Tradepost as Client,
  type ClientOptions,
  createClient,
} from '../../sdk/client/index.ts'
import type { OpenedSide } from '../../src/features/store/account/index.ts'
import type { Tradepost } from '../harness.ts'

/** Lets Tradepost listen on a port. It closes with Tradepost. */
export const listen = async (tradepost: Tradepost): Promise<string> =>
  `${await tradepost.server.listen({ port: 0, host: '127.0.0.1' })}/v1`

/** A client of the first store, by default of its live side. */
export const clientOf = (
  url: string,
  { id, api_key }: OpenedSide,
  options: Partial<ClientOptions> = {},
): Client => createClient({ url, apiKey: api_key ?? '', storeHash: id, ...options })
