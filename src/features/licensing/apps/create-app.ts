import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { found, taken } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import { type ClientApp, NewApp } from './schema.ts'
import { addSigningKey } from './signing-keys.ts'

const DEFAULT_NAME = 'Default'

/** Makes an app with its first signing key. */
export function createApp(context: StoreContext, actor: Actor, sent: NewApp): Promise<ClientApp> {
  return refusingTakenName(() =>
    inTransaction(context.db, async (tx) => {
      await defaultApp(tx, context)
      const app = found(await insertWithKey(tx, context, sent, false), 'App')
      const change = { action: 'client_app.create', record_type: 'client_app', record_id: app.id }
      await recordChanges(tx, context, actor, [{ ...change, after: app }])
      return app
    }),
  )
}

/** The app that is meant where none is named; a store gets it when it is first needed. */
export async function defaultApp(tx: Tx, context: StoreContext): Promise<ClientApp> {
  const known = await q.selectDefaultApp(tx, context.store.id)
  if (known) return known
  const made = await insertWithKey(tx, context, NewApp.parse({ name: DEFAULT_NAME }), true)
  return made ?? found(await q.selectDefaultApp(tx, context.store.id), 'App')
}

/** The app with this id, which nobody deletes before the transaction is over, or the default one. */
export async function appNamed(
  tx: Tx,
  context: StoreContext,
  id: number | undefined,
): Promise<ClientApp> {
  if (id === undefined) return defaultApp(tx, context)
  return found(await q.lockApp(tx, context.store.id, id, 'to name it'), 'App')
}

async function insertWithKey(
  tx: Tx,
  context: StoreContext,
  sent: NewApp,
  is_default: boolean,
): Promise<ClientApp | undefined> {
  const { store, vault, now } = context
  const id = await q.insertApp(tx, store.id, {
    ...sent,
    grace_seconds: sent.grace_seconds ?? 2 * sent.heartbeat_seconds,
    public_id: newId('app_', Date.parse(now)),
    is_default,
    created_at: now,
    updated_at: now,
  })
  if (id === undefined) return undefined
  const made_at = machineNow(context)
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
