/** A part of a bundle: a quantity of a variant, and the price of one unit outside of the bundle. */
interface BundlePart {
  quantity: number
  unit_price_cents: number
}

/** A number of units of one part, all at the same price. */
export interface PricedUnits {
  part_index: number
  quantity: number
  unit_price_cents: number
}

/**
 * Splits the price of a bundle over its units in proportion to their prices, or equally if all of
 * them are free. Prices are rounded down, and the remaining cents are added to the first units, one
 * to each. A part can therefore have units at two prices (decision 340).
 */
export function splitPrice(price_cents: number, parts: readonly BundlePart[]): PricedUnits[] {
  const isFree = parts.every((part) => part.unit_price_cents === 0)
  const weights = parts.map((part) => BigInt(isFree ? 1 : part.unit_price_cents))
  const total = parts.reduce(
    (sum, part, index) => sum + (weights[index] ?? 0n) * BigInt(part.quantity),
    0n,
  )
  const basePrices = weights.map((weight) => Number((BigInt(price_cents) * weight) / total))
  let remainingCents = parts.reduce(
    (cents, part, index) => cents - (basePrices[index] ?? 0) * part.quantity,
    price_cents,
  )
  return parts.flatMap((part, part_index) => {
    const basePrice = basePrices[part_index] ?? 0
    const raisedUnits = Math.min(part.quantity, remainingCents)
    remainingCents -= raisedUnits
    return [
      { part_index, quantity: raisedUnits, unit_price_cents: basePrice + 1 },
      { part_index, quantity: part.quantity - raisedUnits, unit_price_cents: basePrice },
    ].filter((units) => units.quantity > 0)
  })
}
