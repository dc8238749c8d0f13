import type { StoreContext } from '../../../store-context.ts'
import { priceContents, totalsOf } from '../orders/index.ts'
import { findOfferedRates, type OfferedRate } from '../shipping/index.ts'
import type { NewQuote } from './schema.ts'

/**
 * Returns the rates at which the physical items can be shipped, with the prices that an order of the same
 * contents pays (decision 178). Throws VALIDATION_FAILED and COUPON_INVALID as that order does, but needs
 * no stock, and counts no use of the coupon.
 */
export async function quoteShipping(
  context: StoreContext,
  { items: bodyItems, coupon_code, customer_email, ...destination }: NewQuote,
): Promise<OfferedRate[]> {
  const { db, store } = context
  const { lines, items } = await priceContents(context, db, {
    items: bodyItems,
    coupon_code,
    email: customer_email,
    payment_method: undefined,
  })
  const subtotal_cents = totalsOf(lines).total_cents
  return findOfferedRates(db, store.id, { destination, items, subtotal_cents })
}
