/** One content of a bundle: units of a variant, with the price that one unit has on its own. */
export interface Part {
  quantity: number
  unit_price_cents: number
}

/** Units of one part at one price. */
export interface Share {
  /** The index of the part. */
  part: number
  quantity: number
  unit_price_cents: number
}

/**
 * Splits the price of one bundle over its units, in proportion to their own prices, or equally if all
 * are free. The shares add up to the price: the cents that are left go to the first units, one each,
 * so a part can have units at two prices (decision 340).
 */
export function splitPrice(price_cents: number, parts: readonly Part[]): Share[] {
  const isFree = parts.every((part) => part.unit_price_cents === 0)
  const weights = parts.map((part) => BigInt(isFree ? 1 : part.unit_price_cents))
  const total = parts.reduce(
    (sum, part, at) => sum + (weights[at] ?? 0n) * BigInt(part.quantity),
    0n,
  )
  const bases = weights.map((weight) => Number((BigInt(price_cents) * weight) / total))
  let left = parts.reduce((rest, part, at) => rest - (bases[at] ?? 0) * part.quantity, price_cents)
  return parts.flatMap((item, part) => {
    const base = bases[part] ?? 0
    const raised = Math.min(item.quantity, left)
    left -= raised
    return [
      { part, quantity: raised, unit_price_cents: base + 1 },
      { part, quantity: item.quantity - raised, unit_price_cents: base },
    ].filter((share) => share.quantity > 0)
  })
}
