import { inTransaction, type Tx } from '../../../db/database.ts'
import { refuseDuplicates } from '../../../db/failure.ts'
import { alreadyTaken, requireRecord } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import { type ClientApp, NewApp } from './schema.ts'
import { addSigningKey } from './signing-keys.ts'

const DEFAULT_NAME = 'Default'

/** Creates an app with its first signing key. */
export function createApp(
  context: StoreContext,
  actor: KeyActor,
  body: NewApp,
): Promise<ClientApp> {
  return refuseDuplicateName(() =>
    inTransaction(context.db, async (tx) => {
      await findOrCreateDefaultApp(tx, context)
      const app = requireRecord(
        await insertWithKey(tx, context, body, { is_default: false }),
        'App',
      )
      const change = { action: 'client_app.create', record_type: 'client_app', record_id: app.id }
      await recordChanges(tx, context, actor, [{ ...change, after: app }])
      return app
    }),
  )
}

/** Returns the app that calls without `app_id` use. Creates it when a store first needs it. */
export async function findOrCreateDefaultApp(tx: Tx, context: StoreContext): Promise<ClientApp> {
  const existingApp = await q.selectDefaultApp(tx, context.store.id)
  if (existingApp) return existingApp
  const created = await insertWithKey(tx, context, NewApp.parse({ name: DEFAULT_NAME }), {
    is_default: true,
  })
  return created ?? requireRecord(await q.selectDefaultApp(tx, context.store.id), 'App')
}

/** Returns the app with this id, locked against deletion. Without an id, returns the default app. */
export async function lockAppOrDefault(
  tx: Tx,
  context: StoreContext,
  id: number | undefined,
): Promise<ClientApp> {
  if (id === undefined) return findOrCreateDefaultApp(tx, context)
  return requireRecord(await q.lockApp(tx, context.store.id, id, 'reference'), 'App')
}

async function insertWithKey(
  tx: Tx,
  context: StoreContext,
  body: NewApp,
  { is_default }: { is_default: boolean },
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
  const created_ms = machineNow(context)
  await addSigningKey(tx, vault, store.id, { app_id: id, created_ms, starts_ms: created_ms })
  return q.selectApp(tx, store.id, id)
}

export const refuseDuplicateName = <T>(work: () => Promise<T>): Promise<T> =>
  refuseDuplicates('client_app_name_taken', work, () =>
    alreadyTaken('name', 'Another app has this name. Use another name.'),
  )
