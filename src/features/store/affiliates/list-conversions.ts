import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/conversions.ts'
import type { ConversionQuery, Conversions } from './schema.ts'

/** A page of 25 conversions, the newest first. */
export async function listConversions(
  { db, store, now }: StoreContext,
  { status, partner_id, cursor }: ConversionQuery,
): Promise<Conversions> {
  const after = cursor === undefined ? undefined : await q.selectCursor(db, store.id, cursor)
  if (cursor !== undefined && !after)
    throw invalid('cursor', 'Use next_cursor of the previous page.')
  const wanted = status === 'all' ? undefined : status
  const filter = { storeId: store.id, now, status: wanted, partner_id, after }
  const page = await q.selectConversions(db, filter)
  return { ...page, counts: await q.selectCounts(db, store.id, partner_id) }
}
