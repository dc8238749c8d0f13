import { randomBytes } from 'node:crypto'
import type { TestContext } from 'vitest'
import type { Json } from '../harness.ts'
import { createSecurityKey } from './security-key.ts'
import type { sharedDatabase } from './shared-database.ts'

/** Opens a new store with an app. Returns a function that calls the Client Security API with a key or a token. */
export async function openSeller(
  database: ReturnType<typeof sharedDatabase>,
  context: TestContext,
  fields: Json = {},
) {
  const store = await database.openStore(context)
  const { app: server, storeId, targets } = store
  const key = await createSecurityKey(store)
  async function send(method: string, path: string, body?: Json, token = key) {
    const response = await fetch(`${targets[0].origin}/security/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'client-nonce': randomBytes(16).toString('base64url'),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as Json }
  }
  const { app } = (await send('POST', '/apps', { name: 'Raced', ...fields })).json
  return { send, app, server, storeId, db: server.db, target: targets[0] }
}
