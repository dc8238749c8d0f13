import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, found } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import { type ClientApp, NewApp } from './schema.ts'
import { addSigningKey } from './signing-keys.ts'

const DEFAULT_NAME = 'Default'

/** Creates an app with its first signing key. */
export function createApp(context: StoreContext, actor: Actor, body: NewApp): Promise<ClientApp> {
  return refuseTakenName(() =>
    inTransaction(context.db, async (tx) => {
      await defaultApp(tx, context)
      const app = found(await insertWithKey(tx, context, body, false), 'App')
      const change = { action: 'client_app.create', record_type: 'client_app', record_id: app.id }
      await recordChanges(tx, context, actor, [{ ...change, after: app }])
      return app
    }),
  )
}

/** The app that a call without `app_id` uses. It is created when a store first needs it. */
export async function defaultApp(tx: Tx, context: StoreContext): Promise<ClientApp> {
  const known = await q.selectDefaultApp(tx, context.store.id)
  if (known) return known
  const created = await insertWithKey(tx, context, NewApp.parse({ name: DEFAULT_NAME }), true)
  return created ?? found(await q.selectDefaultApp(tx, context.store.id), 'App')
}

/** Returns the app with this id, locked against deletion, or the default app. */
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
  body: NewApp,
  is_default: boolean,
): Promise<ClientApp | undefined> {
  const { store, vault, now } = context
  const id = await q.insertApp(tx, store.id, {
    ...body,
    grace_seconds: body.grace_seconds ?? 2 * body.heartbeat_seconds,
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

export async function refuseTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'client_app_name_taken') throw error
    throw alreadyTaken('name', 'Another app has this name. Use another name.')
  }
}
