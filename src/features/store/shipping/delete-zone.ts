import { inTransaction } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'

/** Deletes a zone with its rates. Orders have copies of their rates. */
export function deleteZone({ db, store }: StoreContext, id: number) {
  return inTransaction(db, async (tx) => {
    await q.lockZones(tx, store.id)
    if (!(await q.deleteZone(tx, store.id, id))) throw notFound('Shipping zone')
    return { deleted: true as const, id }
  })
}
