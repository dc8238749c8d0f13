import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { openBundles } from '../bundles/index.ts'
import { findSellables } from '../products/index.ts'
import { type Goods, parcelOf, ratesFor, subtotalOf } from './price.rules.ts'
import { selectZonesFor } from './queries/zones.ts'
import type { NewQuote, OfferedRate } from './quote-schema.ts'
import { type Destination, zoneFor } from './zones.rules.ts'

/**
 * Returns the rates at which the physical items can be shipped, with their prices (decision 75).
 */
export async function quoteShipping(
  { db, store }: StoreContext,
  quote: NewQuote,
): Promise<OfferedRate[]> {
  const goods = await openBundles(db, store.id, await findSellables(db, store.id, quote.items))
  return ratesTo(db, store.id, { to: quote, goods, subtotal_cents: subtotalOf(goods) })
}

interface Consignment {
  to: Destination
  /** All lines of the order, including the digital ones. */
  goods: readonly Goods[]
  /** The subtotal of the whole order, less any coupon. */
  subtotal_cents: number
}

/** A consignment, with the rate that the order names. */
export type Shipment = Consignment & { rate_id: number }

/**
 * Returns the shipping price of an order by the rate that it names, and the fields of the rate that
 * the order keeps.
 */
export async function priceShipping(
  db: Db,
  storeId: number,
  { rate_id, ...consignment }: Shipment,
): Promise<{ shipping_cents: number; shipping: Omit<OfferedRate, 'price_cents'> }> {
  const offered = await ratesTo(db, storeId, consignment)
  const chosen = offered.find((rate) => rate.rate_id === rate_id)
  if (!chosen) {
    throw invalid('shipping_rate_id', 'This rate is not offered for these items and this address.')
  }
  const { price_cents, ...shipping } = chosen
  return { shipping_cents: price_cents, shipping }
}

async function ratesTo(db: Db, storeId: number, { to, goods, subtotal_cents }: Consignment) {
  const parcel = parcelOf(goods, subtotal_cents)
  if (parcel.units === 0) return []
  const zone = zoneFor(await selectZonesFor(db, storeId, to.country), to)
  return zone ? ratesFor(zone, parcel) : []
}

/** Returns the id of the zone that contains an address, if there is one. */
export async function zoneIdFor(
  db: Db,
  storeId: number,
  to: Destination,
): Promise<number | undefined> {
  return zoneFor(await selectZonesFor(db, storeId, to.country), to)?.id
}
