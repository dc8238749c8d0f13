import { inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { LOCATIONS_MAX, type Location, type NewLocation } from './location-schema.ts'
import * as q from './queries/index.ts'

/** Creates a location. The first location of a store is its default. */
export function createLocation({ db, store }: StoreContext, body: NewLocation): Promise<Location> {
  return inTransaction(db, async (tx) => {
    await q.lockLocations(tx, store.id)
    const count = await q.countLocations(tx, store.id)
    if (count >= LOCATIONS_MAX) {
      throw invalid('name', `A store has at most ${LOCATIONS_MAX} locations. Delete one first.`)
    }
    const is_default = body.is_default || count === 0
    if (is_default) await q.clearDefault(tx, store.id)
    const id = await q.insertLocation(tx, store.id, { ...body, is_default })
    return requireRecord(await q.selectLocation(tx, store.id, id), 'Location')
  })
}
