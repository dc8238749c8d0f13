import { randomBytes } from 'node:crypto'
import type { TestContext } from 'vitest'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import type { Json } from '../harness.ts'
import type { sharedRaceStore } from './market-for-all.ts'

/** The seller of a new store, and an app of theirs: calls of both halves of the Client Security API. */
export async function openSeller(
  raceStore: ReturnType<typeof sharedRaceStore>,
  context: TestContext,
  fields: Json = {},
) {
  const { app: house, storeId, targets } = await raceStore.openStoreFixture(context)
  const store = await selectStoreById(house.db, storeId)
  if (!store) throw new Error('No such store.')
  const { key } = await createKey(house, {
    account_id: store.account_id,
    livemode: store.livemode,
    kind: 'security',
    store_ids: [storeId],
    rate_limit: 0,
  })
  async function ask(method: string, path: string, body?: Json, bearer = key) {
    const response = await fetch(`${targets[0].origin}/security/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        'client-nonce': randomBytes(16).toString('base64url'),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as Json }
  }
  const { app } = (await ask('POST', '/apps', { name: 'Raced', ...fields })).json
  return { ask, app, db: house.db, target: targets[0] }
}
