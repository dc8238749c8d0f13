import { ClientSecurity, type TrustedKey } from '../../sdk/client-security/index.ts'
import { expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { newName } from './prepared-calls.ts'
import { newMachine } from './program.ts'
import type { Seller } from './seller.ts'

export type Fetch = typeof globalThis.fetch

/** Returns a `fetch` that calls the real server without a socket. */
export const fetchFrom =
  (tradepost: Tradepost): Fetch =>
  async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const { method = 'GET', headers, body } = init
    const response = await tradepost.server.inject({
      method: method as 'GET',
      url: pathname + search,
      headers: headers as Record<string, string>,
      ...(body != null && { payload: String(body) }),
    })
    return new Response(response.rawPayload.length ? new Uint8Array(response.rawPayload) : null, {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
    })
  }

/** Creates an app. Returns it with a function that creates clients of the app. */
export async function createClients(tradepost: Tradepost, seller: Seller, fields: Json = {}) {
  const { app } = await expectSuccess(seller.post('/apps', { name: newName('wire'), ...fields }))
  const keys: TrustedKey[] = (await expectSuccess(seller.get(`/apps/${app.id}/signing-keys`)))
    .signing_keys
  return {
    app,
    createClient: (options: Json = {}) =>
      new ClientSecurity({
        url: 'https://shop.example.com/security/v1',
        appId: app.public_id,
        keys,
        fingerprint: newMachine().fingerprint,
        fetch: fetchFrom(tradepost),
        ...options,
      }),
  }
}
