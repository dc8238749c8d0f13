import { requireRecord } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Zone } from './schema.ts'

export async function getZone({ db, store }: StoreContext, id: number): Promise<Zone> {
  return requireRecord(await q.selectZone(db, store.id, id), 'Shipping zone')
}

/** Returns a page of zones, by position (decision 44). */
export async function listZones({ db, store }: StoreContext, page: Page) {
  const zones = await q.selectZones(db, store.id, page)
  return { zones, pagination: pagination(page, await q.countZones(db, store.id)) }
}
