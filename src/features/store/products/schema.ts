import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import {
  Cents,
  DateTime,
  HttpUrl,
  IdText,
  Line,
  Metadata,
  OneOrMoreOf,
  PageQuery,
  Percent,
  QueryBoolean,
  QueryTime,
  Text,
} from '../../../kernel/shapes.ts'
import { NewVariant, VARIANTS_MAX, Variant } from './variant-schema.ts'

const PRODUCT_TYPES = ['serial', 'file', 'service', 'dynamic', 'physical', 'license'] as const
const KINDS = ['single', 'subscription', 'bundle'] as const
const STATUSES = ['draft', 'active', 'archived'] as const
const VISIBILITIES = ['public', 'unlisted', 'private', 'on_hold'] as const
export const METHODS = ['manual', 'crypto', 'card', 'paypal', 'balance', 'test'] as const

const QUANTITY_MAX = 1_000_000
const Quantity = z.int().min(1, 'Use 1 or more.').max(QUANTITY_MAX, 'Use at most 1000000.')
const Highlights = map(Line(64), Text(500, 0), { max: 50, error: 'Use at most 50 highlights.' })

const ProductFields = {
  name: Line(128).describe('The name, 1 to 128 characters.'),
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,128}$/, 'Use a to z, 0 to 9 and hyphens, at most 128.')
    .describe('The name in addresses, unique in the store; generated from the name if absent.'),
  type: z.enum(PRODUCT_TYPES).describe('The kind of goods.'),
  product_kind: z
    .enum(KINDS)
    .describe('Sold once, as a subscription, or as a bundle of other products.'),
  status: z.enum(STATUSES).describe('Only an active product is sold.'),
  active: z.boolean().describe('A switch in addition to the status: both must allow the sale.'),
  visibility: z.enum(VISIBILITIES).describe('The visibility; `on_hold` is not sold.'),
  price_cents: Cents.describe("Minor units; the default variant's price, both are one value."),
  discount_percent: Percent.describe('Taken off each unit, 0 to 100; a variant may have its own.'),
  currency: z.string().describe('ISO 4217; the currency of the store.'),
  accepts_coupons: z.boolean().describe('True if coupons apply to it.'),
  min_qty: Quantity.describe('Fewest units in one order.'),
  max_qty: Quantity.nullable().describe('Most units in one order; null means no limit.'),
  sell_limit: Quantity.nullable().describe('Units one customer may ever buy; null means no limit.'),
  requires_shipping: z.boolean().describe('True if it is sent to an address.'),
  sku: Line(64).nullable().describe("The seller's own number, unique in the store."),
  delivery_note: Text(2_000).nullable().describe('Shown with the delivery.'),
  best_seller: z.boolean().describe('Marks it in the storefront.'),
  metadata: Metadata.describe('Notes of your own: 20 keys of 40 characters, values of 500.'),
  stock_alert_threshold: z
    .int()
    .min(0)
    .max(QUANTITY_MAX)
    .nullable()
    .describe('Units at which stock counts as low; null means never.'),
}

export const HTML_MAX = 100_000

const DetailsFields = {
  short_description: Text(500).nullable().describe('One or two sentences.'),
  description_html: Text(HTML_MAX)
    .nullable()
    .describe('HTML; scripts and unsafe parts are removed.'),
  youtube_url: HttpUrl.nullable().describe('A video to show.'),
  delivered_message: Text(5_000).nullable().describe('Told to the customer on delivery.'),
  highlights: Highlights.describe('Short facts by name.'),
}

const SeoFields = {
  meta_title: Line(255).nullable().describe('Title for search engines.'),
  meta_description: Text(500).nullable().describe('Summary for search engines.'),
  og_title: Line(255).nullable().describe('Title when shared.'),
  og_description: Text(500).nullable().describe('Summary when shared.'),
  og_image_url: HttpUrl.nullable().describe('Picture when shared.'),
}

export const Details = z
  .object(DetailsFields)
  .meta({ id: 'ProductDetails', description: 'Texts of its page.' })
export type Details = z.output<typeof Details>

export const Seo = z
  .object(SeoFields)
  .meta({ id: 'ProductSeo', description: 'Texts for search engines and shares.' })
export type Seo = z.output<typeof Seo>

const MethodFields = {
  method: z.enum(METHODS).describe('A payment method; `test` on test sides only.'),
  enabled: z
    .boolean()
    .describe('True if this product accepts it. Orders also need it connected to the store.'),
}
export const Method = z
  .object(MethodFields)
  .meta({ id: 'ProductMethod', description: 'A payment method of the product.' })
export type Method = z.output<typeof Method>

export const Media = z
  .object({
    id: z.int().describe('The id of this picture or video.'),
    kind: z.enum(['image', 'video']).describe('The kind.'),
    url: z.string().describe('The URL.'),
    position: z.int().describe('Its position, from 0.'),
    is_main: z.boolean().describe('True if it stands for the product.'),
    meta: z.record(z.string(), z.unknown()).describe('Facts such as width and height.'),
    created_at: DateTime.describe('When it was added.'),
  })
  .meta({ id: 'ProductMedia', description: 'A picture or a video.' })
export type Media = z.output<typeof Media>

export const Product = z
  .object({
    id: z.string().describe('The product hash.'),
    object: z.literal('product').describe('Always `product`.'),
    hash_id: z.string().describe('The same as `id`.'),
    legacy_id: z.int().describe('The numeric id; paths accept it too.'),
    ...ProductFields,
    sales_count: z.int().describe('Units ever sold.'),
    categories: z
      .array(
        z.object({
          id: z.int().describe('The category.'),
          name: z.string().describe('Its name.'),
          icon: z.string().nullable().describe('Its icon.'),
        }),
      )
      .describe('The categories that list it.'),
    created_at: DateTime.describe('When it was created.'),
    updated_at: DateTime.describe('When it was last changed.'),
  })
  .meta({ id: 'Product', description: 'The product.' })
export type Product = z.output<typeof Product>

/** The response of GET, POST, PATCH and duplicate: the sections of the specification. */
export const ProductSections = z
  .object({
    product: Product.describe('The product.'),
    details: Details.describe('Texts of its page.'),
    seo: Seo.describe('Texts for search engines and shares.'),
    methods: z.array(Method).describe('How it can be paid.'),
    media: z.array(Media).describe('Pictures and videos, by position.'),
    variants: z.array(Variant).describe('The variants, by sort order.'),
  })
  .meta({ id: 'ProductSections', description: 'A product with all its sections.' })
export type ProductSections = z.output<typeof ProductSections>

export const SECTIONS = ['details', 'seo', 'methods', 'media', 'variants'] as const
export type Section = (typeof SECTIONS)[number]

export const ListedProduct = Product.extend(
  ProductSections.omit({ product: true }).partial().shape,
).meta({ id: 'ListedProduct', description: 'A product, with the sections that were asked for.' })
export type ListedProduct = z.output<typeof ListedProduct>

function nameOnce(methods: { method: string }[], context: z.RefinementCtx) {
  const at = methods.findIndex(
    ({ method }, index) => methods.findIndex((item) => item.method === method) < index,
  )
  if (at < 0) return
  context.addIssue({ code: 'custom', path: [at, 'method'], message: 'Name each method once.' })
}

export const DetailsPatch = z.strictObject(DetailsFields).partial().meta({ id: 'DetailsPatch' })
export const SeoPatch = z.strictObject(SeoFields).partial().meta({ id: 'SeoPatch' })
const Methods = list(
  z
    .strictObject(MethodFields)
    .meta({ id: 'NewProductMethod', description: 'A way to pay, on or off.' }),
  { max: METHODS.length },
)
  .superRefine(nameOnce)
  .describe('Methods that are not named keep their state.')
export const MethodsPatch = z.strictObject({ methods: Methods }).meta({ id: 'MethodsPatch' })

const Sections = {
  category_ids: list(z.int().positive(), { max: 50 }).describe(
    'Categories to list it in; replaces the list it had.',
  ),
  details: DetailsPatch.describe('Texts of its page.'),
  seo: SeoPatch.describe('Texts for search engines and shares.'),
  methods: Methods,
}

export const ProductPatch = z
  .strictObject({ ...ProductFields, ...Sections })
  .partial()
  .meta({ id: 'ProductPatch' })
export type ProductPatch = z.output<typeof ProductPatch>

/** A new product requires `name`, and `price_cents` unless `variants` are sent (decision 26). */
export const NewProduct = z
  .strictObject({
    ...ProductPatch.shape,
    name: ProductFields.name,
    variants: list(NewVariant, {
      max: VARIANTS_MAX,
      error: `Send at most ${VARIANTS_MAX} variants.`,
    })
      .min(1, 'Send at least one variant, or leave the field out.')
      .optional()
      .describe('Without them one is created: "Default", with the product\'s price.'),
  })
  .meta({ id: 'NewProduct' })
export type NewProduct = z.output<typeof NewProduct>

export const SORTS = ['created_at', 'name', 'price_cents', 'sales_count'] as const
const SORT_VALUES = SORTS.flatMap((name) => [name, `-${name}`] as const)

export const ProductQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('`draft`, `active`, `archived`.'),
  visibility: OneOrMoreOf(VISIBILITIES).describe('`public`, `unlisted`, `private`, `on_hold`.'),
  type: OneOrMoreOf(PRODUCT_TYPES).describe('The kind of goods.'),
  product_kind: OneOrMoreOf(KINDS).describe('`single`, `subscription`, `bundle`.'),
  active: QueryBoolean.optional().describe('`true` or `false`.'),
  in_stock: QueryBoolean.optional().describe(
    'True for products with a variant that can be sold now.',
  ),
  category_id: IdText('Use the id of a category.')
    .optional()
    .describe('Products in this category.'),
  group_id: IdText('Use the id of a group.').optional().describe('Products in this group.'),
  search: z.string().max(200).optional().describe('Part of the name, slug or SKU, without case.'),
  created_from: QueryTime.optional().describe('Made at this moment or later.'),
  created_to: QueryTime.optional().describe('Made before this moment.'),
  include: OneOrMoreOf(SECTIONS).describe('Sections to add to each product.'),
  sort: z
    .enum(SORT_VALUES)
    .default('-created_at')
    .describe('A field, with `-` for falling order; ties by id.'),
})
export type ProductQuery = z.output<typeof ProductQuery>
