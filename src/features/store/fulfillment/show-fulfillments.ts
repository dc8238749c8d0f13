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

/** Returns a page of fulfillments, the newest first. */
export async function listFulfillments({ db, store }: StoreContext, query: FulfillmentQuery) {
  const { records, total } = await q.selectFulfillments(db, store.id, query)
  return { fulfillments: records, pagination: pagination(query, total) }
}
