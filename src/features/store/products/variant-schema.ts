import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { Cents, DateTime, HttpUrl, Line, Percent, twoDecimals } from '../../../kernel/shapes.ts'

export const VARIANTS_MAX = 100

const DELIVERY_TYPES = ['serial', 'file', 'service', 'dynamic', 'physical', 'license'] as const
const STOCK_MODES = ['calculated', 'manual', 'unlimited'] as const

const Slug = z.string().regex(/^[a-z0-9-]{1,128}$/, 'Use a to z, 0 to 9 and hyphens, at most 128.')
const Units = z.int().min(0, 'Use 0 or more.').max(1_000_000_000, 'Use at most 1000000000.')

const VariantFields = {
  name: Line(128).describe('The name that distinguishes it from the other variants.'),
  slug: Slug.describe('The name in addresses, unique in the product.'),
  delivery_type: z.enum(DELIVERY_TYPES).describe('The kind of delivery.'),
  price_cents: Cents.describe('Minor units, before any discount.'),
  discount_percent: Percent.describe("Taken off each unit; 0 means the product's applies."),
  compare_at_cents: Cents.nullable().describe('A former price to show next to it.'),
  is_default: z.boolean().describe('Sold where an order names no variant.'),
  active: z.boolean().describe('True if it is sold.'),
  sort_order: z.int().min(0).max(1_000_000).describe('Its position among its siblings.'),
  image_url: HttpUrl.nullable().describe('Its own picture.'),
  stock_mode: z
    .enum(STOCK_MODES)
    .describe(
      '`calculated` counts stock keys, `manual` is set by the seller, `unlimited` never ends.',
    ),
  stock_quantity: Units.describe('Units that can be sold now; 0 where stock is unlimited.'),
  sku: Line(64).nullable().describe("The seller's own number, unique in the store."),
  barcode: Line(64).nullable().describe('A GTIN, EAN or UPC.'),
  weight_grams: Units.nullable().describe('For shipping by weight.'),
  track_inventory: z.boolean().describe('When false, stock is not counted.'),
  allow_backorder: z.boolean().describe('When true, orders pass without stock.'),
  low_stock_threshold: Units.nullable().describe('Units at which stock counts as low.'),
  option_values: list(Line(64), { max: 10 }).describe('Such as size and colour.'),
}

export const Variant = z
  .object({
    id: z.int().describe('The id of the variant.'),
    object: z.literal('variant').describe('Always `variant`.'),
    product_id: z.string().describe('The hash of its product.'),
    ...VariantFields,
    created_at: DateTime.describe('When it was created.'),
    updated_at: DateTime.describe('When it was last changed.'),
  })
  .meta({ id: 'Variant', description: 'A variant of a product: the unit that is sold.' })
export type Variant = z.output<typeof Variant>

/** Only a name is needed; a price that is absent is the product's (decision 27). */
export const NewVariant = z
  .strictObject({ ...z.strictObject(VariantFields).partial().shape, name: VariantFields.name })
  .meta({ id: 'NewVariant' })
export type NewVariant = z.output<typeof NewVariant>

/** Fields left out keep their value; null clears a nullable one. */
export const VariantPatch = z.strictObject(VariantFields).partial().meta({ id: 'VariantPatch' })
export type VariantPatch = z.output<typeof VariantPatch>

const Centimetres = twoDecimals(
  z.number().min(0.01, 'Use 0.01 or more.').max(10_000, 'Use at most 10000.'),
).nullable()

const DimensionFields = {
  length_cm: Centimetres.describe('Centimetres, up to two decimals.'),
  width_cm: Centimetres.describe('Centimetres, up to two decimals.'),
  height_cm: Centimetres.describe('Centimetres, up to two decimals.'),
}

/** All three dimensions, or null if one is unknown. */
export const NewDimensions = z.strictObject(DimensionFields).meta({ id: 'NewShippingDimensions' })
export const Dimensions = z
  .object(DimensionFields)
  .meta({ id: 'ShippingDimensions', description: 'How big one unit is, for volumetric rates.' })
export type Dimensions = z.output<typeof Dimensions>
