import type { Db } from '../../db/database.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { type Goods, parcelOf, ratesFor, subtotalOf } from './price.rules.ts'
import { type FoundGoods, selectGoods } from './queries/goods.ts'
import { selectZonesFor } from './queries/zones.ts'
import type { NewQuote, OfferedRate, QuotedItem } from './quote-schema.ts'
import { type Destination, zoneFor } from './zones.rules.ts'

/** How the physical ones of these items may be sent, and what each way costs (decision 75). */
export async function quoteShipping({ db, store }: Shop, quote: NewQuote): Promise<OfferedRate[]> {
  const goods = named(await selectGoods(db, store.id, quote.items))
  return ratesTo(db, store.id, { to: quote, goods, subtotal_cents: subtotalOf(goods) })
}

/** What an order asks to be shipped. */
export interface Shipment {
  rate_id: number
  to: Destination
  /** All lines of the order, the digital ones too. */
  items: readonly QuotedItem[]
  /** Of the whole order, less any coupon. */
  subtotal_cents: number
}

/** What it costs to ship an order by the rate it names, and what the order keeps of that rate. */
export async function priceShipping(
  db: Db,
  storeId: number,
  { rate_id, to, items, subtotal_cents }: Shipment,
): Promise<{ shipping_cents: number; shipping: Omit<OfferedRate, 'price_cents'> }> {
  const goods = named(await selectGoods(db, storeId, items))
  const offered = await ratesTo(db, storeId, { to, goods, subtotal_cents })
  const chosen = offered.find((rate) => rate.rate_id === rate_id)
  if (!chosen) {
    throw invalid('shipping_rate_id', 'This rate is not offered for these items and this address.')
  }
  const { price_cents, ...shipping } = chosen
  return { shipping_cents: price_cents, shipping }
}

/** The goods, or the first item that names none. */
function named(goods: readonly FoundGoods[]): Goods[] {
  for (const [at, { has_product, has_variant }] of goods.entries()) {
    if (!has_product) throw invalid(`items[${at}].product_id`, 'There is no product with this id.')
    if (!has_variant) {
      throw invalid(`items[${at}].variant_id`, 'This product has no variant with this id.')
    }
  }
  return [...goods]
}

interface Consignment {
  to: Destination
  goods: readonly Goods[]
  subtotal_cents: number
}

async function ratesTo(db: Db, storeId: number, { to, goods, subtotal_cents }: Consignment) {
  const parcel = parcelOf(goods, subtotal_cents)
  if (parcel.units === 0) return []
  const zone = zoneFor(await selectZonesFor(db, storeId, to.country), to)
  return zone ? ratesFor(zone, parcel) : []
}
