import { ClientSecurity, type TrustedKey } from '../../sdk/client-security/index.ts'
import type { Json, Tradepost } from '../harness.ts'
import { machine } from './program.ts'
import { made, type Seller } from './seller.ts'
import { fresh } from './walks.ts'

export type Fetch = typeof globalThis.fetch

/** The real server, without a socket. */
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

/** An app, and clients of its programs. */
export async function clientsOf(tradepost: Tradepost, seller: Seller, fields: Json = {}) {
  const { app } = await made(seller.post('/apps', { name: fresh('wire'), ...fields }))
  const keys: TrustedKey[] = (await made(seller.get(`/apps/${app.id}/signing-keys`))).signing_keys
  return {
    app,
    client: (more: Json = {}) =>
      new ClientSecurity({
        url: 'https://shop.example.com/security/v1',
        appId: app.public_id,
        keys,
        fingerprint: machine().fingerprint,
        fetch: fetchFrom(tradepost),
        ...more,
      }),
  }
}
