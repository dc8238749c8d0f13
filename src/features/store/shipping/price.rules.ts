import { invalid } from '../../../kernel/errors.ts'
import { TOTAL_MAX, unitPrice } from '../../../kernel/money.ts'
import { never } from '../../../kernel/never.ts'
import type { Wanted } from '../products/index.ts'
import type { OfferedRate } from './quote-schema.ts'
import type { Rate, Tier, Zone } from './schema.ts'

/** Units of a variant in an order, with the fields that shipping depends on. */
export type Goods = Pick<
  Wanted,
  | 'quantity'
  | 'delivery_type'
  | 'price_cents'
  | 'discount_percent'
  | 'product_discount_percent'
  | 'weight_grams'
  | 'length_cm'
  | 'width_cm'
  | 'height_cm'
>

/** The measures of all goods to be shipped, taken together. */
export interface Parcel {
  /** Physical units. */
  units: number
  weight_grams: number
  /** In millionths of a cubic centimetre, so that it is whole. */
  volume: bigint
  /** The subtotal of the whole order, after discount. */
  subtotal_cents: number
}

/** Measures the physical goods. Digital goods count in the subtotal only (decision 75). */
export function parcelOf(goods: readonly Goods[], subtotal_cents: number): Parcel {
  const parcel: Parcel = { units: 0, weight_grams: 0, volume: 0n, subtotal_cents }
  for (const item of goods.filter(({ delivery_type }) => delivery_type === 'physical')) {
    parcel.units += item.quantity
    parcel.weight_grams += (item.weight_grams ?? 0) * item.quantity
    parcel.volume += volumeOf(item) * BigInt(item.quantity)
  }
  return parcel
}

/** Sides have two decimals at most, so hundredths are whole. */
const volumeOf = ({ length_cm, width_cm, height_cm }: Goods): bigint =>
  hundredths(length_cm) * hundredths(width_cm) * hundredths(height_cm)

const hundredths = (side_cm: number | null) => BigInt(Math.round((side_cm ?? 0) * 100))

/** Returns the price of goods before any coupon (decision 27). */
export function subtotalOf(goods: readonly Goods[]): number {
  const subtotal = goods.reduce((sum, item) => sum + unitPrice(item) * item.quantity, 0)
  if (subtotal <= TOTAL_MAX) return subtotal
  throw invalid('items', `An order may come to ${TOTAL_MAX} at most.`)
}

/**
 * Returns the rates of a zone that are offered for a parcel, in their sort order. A parcel without
 * physical units gets none.
 */
export function ratesFor({ id: zone_id, rates }: Zone, parcel: Parcel): OfferedRate[] {
  if (parcel.units === 0) return []
  return rates.flatMap((rate) => {
    const price_cents = rate.active ? priceOf(rate, parcel) : undefined
    if (price_cents === undefined) return []
    const { id: rate_id, name, carrier_code, min_days, max_days } = rate
    return { zone_id, rate_id, name, carrier_code, price_cents, min_days, max_days }
  })
}

/** Returns the price of a rate for a parcel, or undefined if the rate has no tier for it. */
export function priceOf(rate: Rate, parcel: Parcel): number | undefined {
  const measure = measureOf(rate, parcel)
  const price = measure === undefined ? rate.price_cents : tierFor(rate.tiers, measure)?.price_cents
  if (price === undefined || rate.free_over_cents === null) return price
  return parcel.subtotal_cents >= rate.free_over_cents ? 0 : price
}

/** Returns the measure that the tiers of a rate use: grams, minor units or units. */
function measureOf(rate: Rate, parcel: Parcel): number | undefined {
  switch (rate.calc_type) {
    case 'flat':
      return undefined
    case 'weight':
      return parcel.weight_grams
    case 'volumetric':
      return Math.max(parcel.weight_grams, volumetricGrams(parcel, rate.volumetric_divisor))
    case 'order_total':
      return parcel.subtotal_cents
    case 'item_count':
      return parcel.units
    default:
      return never(rate.calc_type)
  }
}

/** Cubic centimetres that count as a kilogram if a rate has no divisor. */
const DIVISOR = 5_000

/** Rounds up to a gram, as carriers do, so that tiers of whole grams leave no gap between them. */
function volumetricGrams({ volume }: Parcel, divisor: number | null): number {
  const [grams, of] = [volume * 1_000n, BigInt(divisor ?? DIVISOR) * 1_000_000n]
  return Number((grams + of - 1n) / of)
}

/**
 * Returns the first tier that contains a value. Both ends belong to a tier; a shared edge belongs
 * to the lower tier.
 */
export const tierFor = (tiers: readonly Tier[], value: number): Tier | undefined =>
  tiers.find(({ min, max }) => min <= value && (max === null || value <= max))
