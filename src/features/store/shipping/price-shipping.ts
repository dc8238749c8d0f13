import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import { measureItems, ratesFor, type ShippingItem } from './price.rules.ts'
import * as q from './queries/index.ts'
import type { OfferedRate } from './rate-schema.ts'
import { type ShippingDestination, zoneFor } from './zones.rules.ts'

interface Shipment {
  destination: ShippingDestination
  /** All items of the order, including digital ones. */
  items: readonly ShippingItem[]
  /** The subtotal of all items, less the coupon discount. */
  subtotal_cents: number
}

/**
 * Returns the shipping price of an order for the requested rate, and the fields of the rate that are
 * stored with the order. Refuses a rate that is not offered for the shipment.
 */
export async function priceShipping(
  db: Db,
  storeId: number,
  { rate_id, ...shipment }: Shipment & { rate_id: number },
): Promise<{ shipping_cents: number; shipping: Omit<OfferedRate, 'price_cents'> }> {
  const rates = await findOfferedRates(db, storeId, shipment)
  const rate = rates.find((item) => item.rate_id === rate_id)
  if (!rate) {
    throw invalid(
      'shipping_rate_id',
      'This rate is not offered for these items and this address. Use one that POST /shipping/quote offers.',
    )
  }
  const { price_cents, ...shipping } = rate
  return { shipping_cents: price_cents, shipping }
}

/**
 * Returns the rates at which the physical items of an order can be shipped, with their prices, in the order of
 * their zone.
 */
export async function findOfferedRates(db: Db, storeId: number, shipment: Shipment) {
  const { destination, items, subtotal_cents } = shipment
  const parcel = measureItems(items, subtotal_cents)
  if (parcel.units === 0) return []
  const zone = zoneFor(await q.selectZonesFor(db, storeId, destination.country), destination)
  return zone ? ratesFor(zone, parcel) : []
}

/** Returns the id of the zone that contains an address, if there is one. */
export async function zoneIdFor(
  db: Db,
  storeId: number,
  destination: ShippingDestination,
): Promise<number | undefined> {
  return zoneFor(await q.selectZonesFor(db, storeId, destination.country), destination)?.id
}
