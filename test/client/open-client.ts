import {
  type Tradepost as Client,
  type ClientOptions,
  createClient,
} from '../../sdk/client/index.ts'
import type { StoreSide } from '../../src/features/store/account/index.ts'
import type { Tradepost } from '../harness.ts'

/** Listens on a free port until Tradepost is closed, and returns the address of the Store API. */
export const listen = async (tradepost: Tradepost): Promise<string> =>
  `${await tradepost.server.listen({ port: 0, host: '127.0.0.1' })}/v1`

/** Creates a client with the key and store of a side. */
export const clientOf = (
  url: string,
  { id, api_key }: StoreSide,
  options: Partial<ClientOptions> = {},
): Client => createClient({ url, apiKey: api_key ?? '', storeHash: id, ...options })
