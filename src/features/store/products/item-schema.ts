import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { ProductRef } from '../../../kernel/shapes.ts'

const ITEMS_MAX = 50
const QUANTITY_MAX = 10_000

const NewOrderItem = z
  .strictObject({
    product_id: ProductRef,
    variant_id: z
      .int()
      .positive()
      .optional()
      .describe('The id of the variant. Default: the default variant.'),
    quantity: z
      .int()
      .min(1, 'Use 1 or more.')
      .max(QUANTITY_MAX, `Use at most ${QUANTITY_MAX}.`)
      .describe('The number of units.'),
  })
  .meta({ id: 'OrderItemInput', description: 'A variant and a quantity.' })
export type NewOrderItem = z.output<typeof NewOrderItem>

/** The items of a new order, a shipping quote or a coupon check. */
export const Items = list(NewOrderItem, {
  max: ITEMS_MAX,
  error: `Send at most ${ITEMS_MAX} items.`,
}).min(1, 'Send at least one item.')
