import { found } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Location } from './location-schema.ts'
import { selectLocation, selectLocations } from './queries/locations.ts'

export async function getLocation({ db, store }: StoreContext, id: number): Promise<Location> {
  return found(await selectLocation(db, store.id, id), 'Location')
}

/** A page of locations, the newest first (decision 44). */
export async function listLocations(
  { db, store }: StoreContext,
  page: Page,
): Promise<{ locations: Location[]; pagination: Pagination }> {
  const { locations, total } = await selectLocations(db, store.id, page)
  return { locations, pagination: pagination(page, total) }
}
