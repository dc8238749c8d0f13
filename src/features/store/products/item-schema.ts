import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { ProductRef } from '../../../kernel/shapes.ts'

const ITEMS_MAX = 50
const QUANTITY_MAX = 10_000

const Item = z
  .strictObject({
    product_id: ProductRef,
    variant_id: z.int().positive().optional().describe('Absent: the default variant.'),
    quantity: z
      .int()
      .min(1, 'Use 1 or more.')
      .max(QUANTITY_MAX, `Use at most ${QUANTITY_MAX}.`)
      .describe('Units.'),
  })
  .meta({ id: 'NewOrderItem', description: 'A variant and its quantity.' })
export type Item = z.output<typeof Item>

/** The items of an order, of a shipping quote, and of a coupon check. */
export const Items = list(Item, {
  max: ITEMS_MAX,
  error: `Send at most ${ITEMS_MAX} items.`,
}).min(1, 'Send at least one item.')
