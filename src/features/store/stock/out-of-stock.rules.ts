import { Refusal } from '../../../kernel/errors.ts'

/** The variant of an order line, with its names. */
interface NamedVariant {
  product_hash: string
  variant_id: number
  name: string
  variant_name: string
}

const nameOf = ({ name, variant_name }: NamedVariant) => `${name} (${variant_name})`

/** Returns the error for a new order of units that are not in stock. */
export function outOfStock(variant: NamedVariant, available: number): Refusal {
  const message =
    available > 0
      ? `Only ${available} left of ${nameOf(variant)}; order ${available} or fewer.`
      : `Sold out: 0 left of ${nameOf(variant)}. Add stock first.`
  return refusal(variant, message, { available })
}

/** Returns the error for a paid line whose units are not in stock: it needs a number of units that is known. */
export function tooFewForLine(
  line: NamedVariant & { quantity: number },
  available: number,
): Refusal {
  const missing = line.quantity - available
  const message =
    available > 0
      ? `Only ${available} left of ${nameOf(line)} for this line, which needs ${line.quantity}. Add ${missing} or more first.`
      : `Sold out: 0 left of ${nameOf(line)}. Add ${missing} or more first.`
  return refusal(line, message, { available, missing })
}

const refusal = (
  { product_hash, variant_id }: NamedVariant,
  message: string,
  units: { available: number; missing?: number },
) => new Refusal('OUT_OF_STOCK', message, { product_id: product_hash, variant_id, ...units })
