import { requireRecord } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Location } from './location-schema.ts'
import * as q from './queries/index.ts'

export async function getLocation({ db, store }: StoreContext, id: number): Promise<Location> {
  return requireRecord(await q.selectLocation(db, store.id, id), 'Location')
}

/** Returns a page of locations, the newest first (decision 44). */
export async function listLocations({ db, store }: StoreContext, page: Page) {
  const { records, total } = await q.selectLocations(db, store.id, page)
  return { locations: records, pagination: pagination(page, total) }
}
