import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'

const ITEMS_MAX = 20
const QUANTITY_MAX = 100

const Quantity = z
  .int()
  .min(1, 'Use 1 or more.')
  .max(QUANTITY_MAX, `Use at most ${QUANTITY_MAX}.`)
  .describe('The number of units in one bundle.')

export const BundleItem = z
  .object({
    product_id: z.string().describe('The product hash.'),
    product_name: z.string().describe('The name of the product.'),
    variant_id: z.int().describe('The id of the variant.'),
    variant_name: z.string().describe('The name of the variant.'),
    quantity: Quantity,
  })
  .meta({ id: 'BundleItem', description: 'A variant in a bundle, and its quantity.' })
export type BundleItem = z.output<typeof BundleItem>

export const Bundle = z
  .object({
    object: z.literal('product_bundle').describe('Always `product_bundle`.'),
    product_id: z.string().describe('The product hash.'),
    items: z
      .array(BundleItem)
      .describe('The contents, in the sequence in which they become order lines.'),
  })
  .meta({ id: 'ProductBundle', description: 'The contents of a product of the kind `bundle`.' })
export type Bundle = z.output<typeof Bundle>

const NewBundleItem = z
  .strictObject({
    variant_id: z
      .int()
      .positive()
      .describe('The id of a variant. Its product must have the kind `single`.'),
    quantity: Quantity.default(1),
  })
  .meta({ id: 'BundleItemInput' })

export const NewBundle = z
  .strictObject({
    items: list(NewBundleItem, {
      max: ITEMS_MAX,
      error: `Send at most ${ITEMS_MAX} items.`,
    }).describe('All contents of the bundle. If the list is empty, the product itself is sold.'),
  })
  .meta({ id: 'ProductBundleInput' })
export type NewBundle = z.output<typeof NewBundle>
