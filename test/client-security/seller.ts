import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { answerOf } from '../answer.ts'
import type { Answer, CallOptions, Json, Tradepost } from '../harness.ts'

export const BASE = '/security/v1'

/** A caller of the Client Security API on one side of a store. */
export interface Seller {
  key: string
  store: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: Json, options?: CallOptions): Promise<Answer>
  put(path: string, body?: Json, options?: CallOptions): Promise<Answer>
  patch(path: string, body?: Json, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
}

/** Creates a caller with a new security key without a rate limit. */
export async function createSeller(
  tradepost: Tradepost,
  store = tradepost.live.id,
  permissions?: string[],
): Promise<Seller> {
  const storeRow = await selectStore(tradepost.db, store)
  if (!storeRow) throw new Error('No such store.')
  const { account_id, livemode, id } = storeRow
  const { key } = await createKey(tradepost.app, {
    account_id,
    livemode,
    kind: 'security',
    store_ids: [id],
    rate_limit: 0,
    permissions,
  })
  const call = async (method: string, path: string, { body, raw, headers }: CallOptions = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await tradepost.server.inject({
      method: method as 'GET',
      url: `${BASE}${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    })
    return answerOf(response)
  }
  return {
    key,
    store,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { body, ...options }),
    put: (path, body, options) => call('PUT', path, { body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { body, ...options }),
    delete: (path, options) => call('DELETE', path, options),
  }
}

/** Returns the text of an answer without the id that a 404 repeats (decision 132). */
export const withoutId = ({ text }: Answer): string =>
  text.replace(/"The (\w+( \w+)?) .* was not found\."/s, '"The $1 ID was not found."')
