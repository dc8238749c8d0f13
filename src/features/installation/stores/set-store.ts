import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import * as q from './queries.ts'

/** Sets the plan of both sides of a store. */
export function setPlan(app: App, { hash, ...before }: q.StoreRow, plan: string): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const ids = await q.updatePlan(tx, hash, plan)
    const changes = changesOf(before, { plan })
    const event = { action: 'store.set_plan', object: 'store', object_id: hash, changes }
    await insertStoresEvent(tx, { ids }, { origin: app.origin, now: nowOf(app) }, event)
  })
}

/** Turns features of one side of a store on or off. */
export function setFeatures(
  app: App,
  { id, hash, features: before }: q.StoreRow,
  features: Record<string, boolean>,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    await q.updateFeatures(tx, hash, features)
    const changes = changesOf(before, features)
    const event = { action: 'store.set_features', object: 'store', object_id: hash, changes }
    await insertStoresEvent(tx, { ids: [id] }, { origin: app.origin, now: nowOf(app) }, event)
  })
}

const nowOf = ({ clock }: App): string => iso(clock.now())
