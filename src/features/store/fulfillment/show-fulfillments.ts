import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Fulfillment, FulfillmentQuery } from './schema.ts'

export async function getFulfillment(
  { db, store }: StoreContext,
  id: number,
): Promise<Fulfillment> {
  return requireRecord(await q.selectFulfillment(db, store.id, id), 'Fulfillment')
}

/** The page of an order shows at most so many parcels. */
const PARCELS_MAX = 100

/** Returns the parcels of an order, the newest first. */
export async function listParcels(
  { db, store }: StoreContext,
  order_id: string,
): Promise<Fulfillment[]> {
  const page = { order_id, limit: PARCELS_MAX, offset: 0 }
  return (await q.selectFulfillments(db, store.id, page)).records
}

/** Returns a page of fulfillments, the newest first. */
export async function listFulfillments({ db, store }: StoreContext, query: FulfillmentQuery) {
  const { records, total } = await q.selectFulfillments(db, store.id, query)
  return { fulfillments: records, pagination: pagination(query, total) }
}
