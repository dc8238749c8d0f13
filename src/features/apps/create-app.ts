import { inTransaction, type Tx } from '../../db/database.ts'
import { uniqueViolation } from '../../db/failure.ts'
import { found, taken } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { machineNow, type Shop } from '../../shop.ts'
import { type Actor, recordChanges } from '../audit/index.ts'
import * as q from './queries.ts'
import { type ClientApp, NewApp } from './schema.ts'
import { addSigningKey } from './signing-keys.ts'

const DEFAULT_NAME = 'Default'

/** Makes an app with its first signing key. */
export function createApp(shop: Shop, actor: Actor, sent: NewApp): Promise<ClientApp> {
  return refusingTakenName(() =>
    inTransaction(shop.db, async (tx) => {
      await defaultApp(tx, shop)
      const app = found(await insertWithKey(tx, shop, sent, false), 'App')
      const change = { action: 'client_app.create', record_type: 'client_app', record_id: app.id }
      await recordChanges(tx, shop, actor, [{ ...change, after: app }])
      return app
    }),
  )
}

/** The app that is meant where none is named; a store gets it when it is first needed. */
export async function defaultApp(tx: Tx, shop: Shop): Promise<ClientApp> {
  const known = await q.selectDefaultApp(tx, shop.store.id)
  if (known) return known
  const made = await insertWithKey(tx, shop, NewApp.parse({ name: DEFAULT_NAME }), true)
  return made ?? found(await q.selectDefaultApp(tx, shop.store.id), 'App')
}

/** The app with this id, which nobody deletes before the transaction is over, or the default one. */
export async function appNamed(tx: Tx, shop: Shop, id: number | undefined): Promise<ClientApp> {
  if (id === undefined) return defaultApp(tx, shop)
  return found(await q.lockApp(tx, shop.store.id, id, 'to name it'), 'App')
}

async function insertWithKey(
  tx: Tx,
  shop: Shop,
  sent: NewApp,
  is_default: boolean,
): Promise<ClientApp | undefined> {
  const { store, vault, now } = shop
  const id = await q.insertApp(tx, store.id, {
    ...sent,
    grace_seconds: sent.grace_seconds ?? 2 * sent.heartbeat_seconds,
    public_id: newId('app_', Date.parse(now)),
    is_default,
    created_at: now,
    updated_at: now,
  })
  if (id === undefined) return undefined
  const made_at = machineNow(shop)
  await addSigningKey(tx, vault, store.id, { app_id: id, made_at, starts_at: made_at })
  return q.selectApp(tx, store.id, id)
}

export async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'client_app_name_taken') throw error
    throw taken('name', 'Another app has this name.')
  }
}
