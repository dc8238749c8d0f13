import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Conversion, ConversionQuery, Conversions } from './schema.ts'

/** Returns a page of 25 conversions, the newest first. */
export async function listConversions(
  { db, store, now }: StoreContext,
  { status, partner_id, cursor }: ConversionQuery,
): Promise<Conversions> {
  const after = cursor === undefined ? undefined : await q.selectCursor(db, store.id, cursor)
  if (cursor !== undefined && !after)
    throw invalid('cursor', 'Use next_cursor of the previous page.')
  const page = await q.selectConversions(db, {
    storeId: store.id,
    now,
    status: status === 'all' ? undefined : status,
    partner_id,
    after,
  })
  return { ...page, counts: await q.selectCounts(db, store.id, partner_id) }
}

/** Returns the conversion of an order, or null if it has none. */
export const findConversion = async (
  { db, store, now }: StoreContext,
  orderId: string,
): Promise<Conversion | null> =>
  (await q.selectConversion(db, { storeId: store.id, now }, orderId)) ?? null
