import { never } from '../../../kernel/never.ts'
import type { SellableItem } from '../products/index.ts'
import type { OfferedRate } from './rate-schema.ts'
import type { Rate, Tier, Zone } from './schema.ts'

/** A variant and its quantity in an order, with the fields that shipping depends on. */
export type ShippingItem = Pick<
  SellableItem,
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

/** The total measures of all items to ship. */
interface Parcel {
  /** The number of physical units. */
  units: number
  weight_grams: number
  /** In millionths of a cubic centimetre, so that it is an integer. */
  volume: bigint
  /** The subtotal of all items of the order, including digital ones, after discounts. */
  subtotal_cents: number
}

/** Measures the physical items. Digital items count in the subtotal only. */
export function measureItems(items: readonly ShippingItem[], subtotal_cents: number): Parcel {
  const parcel: Parcel = { units: 0, weight_grams: 0, volume: 0n, subtotal_cents }
  for (const item of items.filter(({ delivery_type }) => delivery_type === 'physical')) {
    parcel.units += item.quantity
    parcel.weight_grams += (item.weight_grams ?? 0) * item.quantity
    parcel.volume += volumeOf(item) * BigInt(item.quantity)
  }
  return parcel
}

/** Returns the volume in millionths of a cubic centimetre. Sides have at most two decimals. */
const volumeOf = ({ length_cm, width_cm, height_cm }: ShippingItem): bigint =>
  hundredths(length_cm) * hundredths(width_cm) * hundredths(height_cm)

const hundredths = (side_cm: number | null) => BigInt(Math.round((side_cm ?? 0) * 100))

/**
 * Returns the active rates of a zone that have a price for a parcel, in their sort order. There are
 * none for a parcel without physical units.
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

/**
 * Returns the measure that the tiers of a rate use: grams, minor units or units. Returns undefined for
 * a flat rate.
 */
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

/** The cubic centimetres that count as a kilogram, if a rate has no divisor. */
const DEFAULT_DIVISOR = 5_000
const GRAMS_PER_KILOGRAM = 1_000n
/** The number of units of `Parcel.volume` in a cubic centimetre. */
const VOLUMES_PER_CUBIC_CM = 1_000_000n

/** Rounds up to a gram, as carriers do. Otherwise a weight could fall between two tiers of whole grams. */
function volumetricGrams({ volume }: Parcel, divisor: number | null): number {
  const dividend = volume * GRAMS_PER_KILOGRAM
  const scaledDivisor = BigInt(divisor ?? DEFAULT_DIVISOR) * VOLUMES_PER_CUBIC_CM
  return Number((dividend + scaledDivisor - 1n) / scaledDivisor)
}

/**
 * Returns the first tier that contains a value. Both bounds belong to a tier. A bound that two tiers
 * share belongs to the lower tier.
 */
export const tierFor = (tiers: readonly Tier[], value: number): Tier | undefined =>
  tiers.find(({ min, max }) => min <= value && (max === null || value <= max))
