import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import {
  Cents,
  Characters,
  DateTime,
  HttpUrl,
  Line,
  optionalFields,
  Percent,
  twoDecimals,
} from '../../../kernel/shapes.ts'
import { STOCK_MODES } from '../stock/index.ts'

export const VARIANTS_MAX = 100

const DELIVERY_TYPES = ['serial', 'file', 'service', 'dynamic', 'physical', 'license'] as const

const Slug = Characters(128, /^[a-z0-9-]{1,128}$/, 'Use a to z, 0 to 9 and hyphens, at most 128.')
const Units = z.int().min(0, 'Use 0 or more.').max(1_000_000_000, 'Use at most 1000000000.')

const VariantFields = {
  name: Line(128).describe('The name that distinguishes it from the other variants.'),
  slug: Slug.describe('The name in URLs, unique in the product.'),
  delivery_type: z.enum(DELIVERY_TYPES).describe('The delivery type.'),
  price_cents: Cents.describe('The price in minor units, before any discount.'),
  discount_percent: Percent.describe(
    'The discount on each unit in percent. If it is 0, the discount of the product applies.',
  ),
  compare_at_cents: Cents.nullable().describe(
    'A former price in minor units, shown for comparison.',
  ),
  is_default: z
    .boolean()
    .describe('True for the variant that is sold if an item has no `variant_id`.'),
  active: z.boolean().describe('True if the variant can be sold.'),
  sort_order: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('The position among the variants of the product.'),
  image_url: HttpUrl.nullable().describe('The URL of a picture of the variant.'),
  stock_mode: z
    .enum(STOCK_MODES)
    .describe(
      '`calculated` counts stock keys, with `manual` the seller sets the quantity, and `unlimited` never runs out.',
    ),
  stock_quantity: Units.describe('The units that can be sold now; 0 if stock is unlimited.'),
  sku: Line(64).nullable().describe('The SKU, unique in the store.'),
  barcode: Line(64).nullable().describe('A GTIN, EAN or UPC.'),
  weight_grams: Units.nullable().describe(
    'The weight of one unit in grams, for shipping rates by weight.',
  ),
  track_inventory: z.boolean().describe('If false, stock is not counted.'),
  allow_backorder: z.boolean().describe('If true, the variant can be ordered without stock.'),
  low_stock_threshold: Units.nullable().describe(
    'Stock counts as low at this number of units or fewer; null for never.',
  ),
  option_values: list(Line(64), { max: 10 }).describe(
    'The options of the variant, such as its size and colour.',
  ),
}

export const Variant = z
  .object({
    id: z.int().describe('The id of the variant.'),
    object: z.literal('variant').describe('Always `variant`.'),
    product_id: z.string().describe('The hash of the product.'),
    ...VariantFields,
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Variant', description: 'A variant of a product: the unit that is sold.' })
export type Variant = z.output<typeof Variant>

/** The values of a new variant for fields that the request does not have (decision 27). */
export const VARIANT_DEFAULTS = {
  discount_percent: 0,
  compare_at_cents: null,
  active: true,
  image_url: null,
  stock_quantity: 0,
  sku: null,
  barcode: null,
  weight_grams: null,
  track_inventory: true,
  allow_backorder: false,
  low_stock_threshold: null,
  option_values: [] as string[],
} as const

/** Only the name is required. Without a price the variant has the product's price (decision 27). */
export const NewVariant = z
  .strictObject({
    ...optionalFields(VariantFields, VARIANT_DEFAULTS),
    name: VariantFields.name,
    slug: VariantFields.slug
      .optional()
      .describe('The name in URLs, unique in the product. Default: made from the name.'),
    delivery_type: VariantFields.delivery_type
      .optional()
      .describe('The delivery type. Default: the type of the product.'),
    price_cents: VariantFields.price_cents
      .optional()
      .describe(
        'The price in minor units, before any discount. Default: the price of the product.',
      ),
    is_default: VariantFields.is_default
      .optional()
      .describe(
        'True for the variant that is sold if an item has no `variant_id`. Default: true for the first variant of a new product if no other has it, otherwise false.',
      ),
    sort_order: VariantFields.sort_order
      .optional()
      .describe('The position among the variants of the product. Default: after the others.'),
    stock_mode: VariantFields.stock_mode
      .optional()
      .describe(
        '`calculated` counts stock keys, with `manual` the seller sets the quantity, and `unlimited` never runs out. Default: `calculated` for the delivery type `serial`, `manual` for `physical`, and `unlimited` for the others.',
      ),
  })
  .meta({ id: 'VariantInput' })
export type NewVariant = z.output<typeof NewVariant>

/** Absent fields keep their values; null clears a nullable field. */
export const VariantPatch = z.strictObject(VariantFields).partial().meta({ id: 'VariantPatch' })
export type VariantPatch = z.output<typeof VariantPatch>

const Centimetres = twoDecimals(
  z.number().min(0.01, 'Use 0.01 or more.').max(10_000, 'Use at most 10000.'),
).nullable()

const DimensionFields = {
  length_cm: Centimetres.describe('The length in centimetres, with up to two decimals.'),
  width_cm: Centimetres.describe('The width in centimetres, with up to two decimals.'),
  height_cm: Centimetres.describe('The height in centimetres, with up to two decimals.'),
}

/** All three dimensions are required; an unknown one is null. */
export const NewDimensions = z.strictObject(DimensionFields).meta({ id: 'ShippingDimensionsInput' })
export const Dimensions = z.object(DimensionFields).meta({
  id: 'ShippingDimensions',
  description: 'The dimensions of one unit, for volumetric rates.',
})
export type Dimensions = z.output<typeof Dimensions>
