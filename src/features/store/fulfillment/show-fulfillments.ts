import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Fulfillment, FulfillmentQuery } from './schema.ts'

export async function getFulfillment(
  { db, store }: StoreContext,
  id: number,
): Promise<Fulfillment> {
  return found(await q.selectFulfillment(db, store.id, id), 'Fulfillment')
}

/** A page of fulfillments, the newest first. */
export async function listFulfillments(
  { db, store }: StoreContext,
  query: FulfillmentQuery,
): Promise<{ fulfillments: Fulfillment[]; pagination: Pagination }> {
  const { fulfillments, total } = await q.selectFulfillments(db, store.id, query)
  return { fulfillments, pagination: pagination(query, total) }
}
