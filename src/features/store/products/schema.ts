import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { type BrokenRule, withRule } from '../../../kernel/broken-rule.ts'
import { METHODS } from '../../../kernel/payment-methods.ts'
import {
  Cents,
  Characters,
  DateTime,
  HttpUrl,
  IdText,
  Line,
  ListQuery,
  Metadata,
  OneOrMoreOf,
  optionalFields,
  Percent,
  QueryBoolean,
  Text,
} from '../../../kernel/shapes.ts'
import { NewVariant, VARIANTS_MAX, Variant } from './variant-schema.ts'

const PRODUCT_TYPES = ['serial', 'file', 'service', 'dynamic', 'physical', 'license'] as const
const KINDS = ['single', 'subscription', 'bundle'] as const
const STATUSES = ['draft', 'active', 'archived'] as const
const VISIBILITIES = ['public', 'unlisted', 'private', 'on_hold'] as const

const QUANTITY_MAX = 1_000_000
const Quantity = z.int().min(1, 'Use 1 or more.').max(QUANTITY_MAX, `Use at most ${QUANTITY_MAX}.`)
const Highlights = map(Line(64), Text(500, 0), { max: 50, error: 'Use at most 50 highlights.' })

const ProductFields = {
  name: Line(128).describe('The name, 1 to 128 characters.'),
  slug: Characters(
    128,
    /^[a-z0-9-]{1,128}$/,
    'Use a to z, 0 to 9 and hyphens, at most 128.',
  ).describe('The name in URLs, unique in the store.'),
  type: z.enum(PRODUCT_TYPES).describe('The kind of goods.'),
  product_kind: z
    .enum(KINDS)
    .describe('The kind of sale: once, as a subscription, or as a bundle of other products.'),
  status: z.enum(STATUSES).describe('The status. Only an `active` product can be sold.'),
  active: z
    .boolean()
    .describe('A product can be sold only if this is true and its status is `active`.'),
  visibility: z
    .enum(VISIBILITIES)
    .describe('The visibility. A product with `on_hold` cannot be sold.'),
  price_cents: Cents.describe(
    'The price in minor units, which is also the price of the default variant.',
  ),
  discount_percent: Percent.describe(
    'The discount on each unit in percent. A discount of the variant replaces it.',
  ),
  currency: z.string().describe('The currency of the store, as an ISO 4217 code.'),
  accepts_coupons: z.boolean().describe('True if coupons apply to the product.'),
  min_qty: Quantity.describe('The minimum number of units in one order.'),
  max_qty: Quantity.nullable().describe(
    'The maximum number of units in one order; null for no limit.',
  ),
  sell_limit: Quantity.nullable().describe(
    'The maximum number of units that one customer may ever buy; null for no limit.',
  ),
  requires_shipping: z.boolean().describe('True if the product is shipped to an address.'),
  sku: Line(64).nullable().describe('The SKU, unique in the store.'),
  delivery_note: Text(2_000).nullable().describe('A note that is shown with the delivery.'),
  best_seller: z.boolean().describe('True if the storefront marks the product as a best seller.'),
  metadata: Metadata.describe(
    'Your own data: up to 20 keys of 40 characters, with values of up to 500.',
  ),
  stock_alert_threshold: z
    .int()
    .min(0)
    .max(QUANTITY_MAX)
    .nullable()
    .describe('Stock counts as low at this number of units or fewer; null for never.'),
}

export const HTML_MAX = 100_000

const DetailsFields = {
  short_description: Text(500).nullable().describe('A summary of one or two sentences.'),
  description_html: Text(HTML_MAX)
    .nullable()
    .describe('The description as HTML. Scripts and other unsafe parts are removed.'),
  youtube_url: HttpUrl.nullable().describe('The URL of a video to show.'),
  delivered_message: Text(5_000).nullable().describe('A message to the customer on delivery.'),
  highlights: Highlights.describe('Short facts about the product, by name.'),
}

const SeoFields = {
  meta_title: Line(255).nullable().describe('The title for search engines.'),
  meta_description: Text(500).nullable().describe('The summary for search engines.'),
  og_title: Line(255).nullable().describe('The title for shared links.'),
  og_description: Text(500).nullable().describe('The summary for shared links.'),
  og_image_url: HttpUrl.nullable().describe('The URL of the picture for shared links.'),
}

export const ProductDetails = z
  .object(DetailsFields)
  .meta({ id: 'ProductDetails', description: 'The texts of the product page.' })
export type ProductDetails = z.output<typeof ProductDetails>

export const Seo = z
  .object(SeoFields)
  .meta({ id: 'ProductSeo', description: 'The texts for search engines and shared links.' })
export type Seo = z.output<typeof Seo>

const MethodFields = {
  method: z.enum(METHODS).describe('The payment method. `test` exists on test sides only.'),
  enabled: z
    .boolean()
    .describe(
      'True if the product accepts the method. An order can use it only if it is also connected to the store.',
    ),
}
export const Method = z
  .object(MethodFields)
  .meta({ id: 'ProductMethod', description: 'A payment method of the product.' })
export type Method = z.output<typeof Method>

export const Media = z
  .object({
    id: z.int().describe('The id of the picture or video.'),
    kind: z.enum(['image', 'video']).describe('The kind of media.'),
    url: z.string().describe('The URL of the picture or video.'),
    position: z.int().describe('The position among the media of the product, from 0.'),
    is_main: z.boolean().describe('True for the main picture of the product.'),
    meta: z.record(z.string(), z.unknown()).describe('Further data, such as width and height.'),
    created_at: DateTime.describe('The time at which it was added.'),
  })
  .meta({ id: 'ProductMedia', description: 'A picture or a video.' })
export type Media = z.output<typeof Media>

export const Product = z
  .object({
    id: z.string().describe('The product hash.'),
    object: z.literal('product').describe('Always `product`.'),
    hash_id: z.string().describe('The same as `id`.'),
    legacy_id: z.int().describe('The numeric id. Paths accept it too.'),
    ...ProductFields,
    sales_count: z.int().describe('The units sold so far.'),
    categories: z
      .array(
        z.object({
          id: z.int().describe('The id of the category.'),
          name: z.string().describe('The name of the category.'),
          icon: z.string().nullable().describe('The icon of the category.'),
        }),
      )
      .describe('The categories that contain the product.'),
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Product', description: 'A product.' })
export type Product = z.output<typeof Product>

/** The answer to GET, POST, PATCH and duplicate. */
export const ProductSections = z
  .object({
    product: Product.describe('The product.'),
    details: ProductDetails.describe('The texts of the product page.'),
    seo: Seo.describe('The texts for search engines and shared links.'),
    methods: z.array(Method).describe('The payment methods of the product.'),
    media: z.array(Media).describe('The pictures and videos, by position.'),
    variants: z.array(Variant).describe('The variants, by sort order.'),
  })
  .meta({ id: 'ProductSections', description: 'A product with all its sections.' })
export type ProductSections = z.output<typeof ProductSections>

const SECTIONS = ['details', 'seo', 'methods', 'media', 'variants'] as const
export type Section = (typeof SECTIONS)[number]

export const ListedProduct = Product.extend(
  ProductSections.omit({ product: true }).partial().shape,
).meta({ id: 'ListedProduct', description: 'A product with the requested sections.' })
export type ListedProduct = z.output<typeof ListedProduct>

function refuseRepeatedMethods(methods: { method: string }[], context: z.RefinementCtx) {
  const repeatedIndex = methods.findIndex(
    ({ method }, index) => methods.findIndex((item) => item.method === method) < index,
  )
  if (repeatedIndex < 0) return
  context.addIssue({
    code: 'custom',
    path: [repeatedIndex, 'method'],
    message: 'Name each method once.',
    params: { rule: 'unique' } satisfies BrokenRule,
  })
}

export const DetailsPatch = z.strictObject(DetailsFields).partial().meta({
  id: 'DetailsPatch',
  description:
    'The texts of the product page. Fields that are left out keep their value; in a new product they are empty.',
})
export type DetailsPatch = z.output<typeof DetailsPatch>
export const SeoPatch = z.strictObject(SeoFields).partial().meta({
  id: 'SeoPatch',
  description:
    'The texts for search engines and shared links. Fields that are left out keep their value; in a new product they are empty.',
})
export type SeoPatch = z.output<typeof SeoPatch>
const Methods = list(
  z.strictObject(MethodFields).meta({
    id: 'ProductMethodInput',
    description: 'A payment method, and whether the product accepts it.',
  }),
  { max: METHODS.length },
)
  .superRefine(refuseRepeatedMethods)
  .describe('The payment methods to change. Other methods keep their setting.')
export const MethodsPatch = z.strictObject({ methods: Methods }).meta({ id: 'MethodsPatch' })

const Sections = {
  category_ids: list(z.int().positive(), { max: 50 }).describe(
    'The ids of the categories that contain the product. They replace its present categories.',
  ),
  details: DetailsPatch.describe('The texts of the product page.'),
  seo: SeoPatch.describe('The texts for search engines and shared links.'),
  methods: Methods,
}

export const ProductPatch = z
  .strictObject({ ...ProductFields, ...Sections })
  .partial()
  .meta({ id: 'ProductPatch' })
export type ProductPatch = z.output<typeof ProductPatch>

/** The values of a new product for fields that the request does not have (decision 26). */
export const PRODUCT_DEFAULTS = {
  type: 'serial',
  product_kind: 'single',
  status: 'active',
  active: true,
  visibility: 'public',
  discount_percent: 0,
  accepts_coupons: true,
  min_qty: 1,
  max_qty: null,
  sell_limit: null,
  sku: null,
  delivery_note: null,
  best_seller: false,
  metadata: {},
  stock_alert_threshold: null,
} as const satisfies z.input<typeof ProductPatch>

/** A new product requires `name`, and `price_cents` unless `variants` are sent (decision 26). */
export const NewProduct = z
  .strictObject({
    ...optionalFields(ProductFields, PRODUCT_DEFAULTS),
    category_ids: Sections.category_ids
      .optional()
      .meta({ default: [] })
      .describe('The ids of the categories that contain the product.'),
    details: Sections.details
      .optional()
      .describe('The texts of the product page. Default: all are empty.'),
    seo: Sections.seo
      .optional()
      .describe('The texts for search engines and shared links. Default: all are empty.'),
    methods: Sections.methods
      .optional()
      .describe(
        'The payment methods that the product accepts or refuses. Default: each method is enabled while it is connected to the store.',
      ),
    slug: ProductFields.slug
      .optional()
      .describe('The name in URLs, unique in the store. Default: made from the name.'),
    currency: ProductFields.currency
      .optional()
      .describe('The currency, as an ISO 4217 code. Default: that of the store, and no other.'),
    requires_shipping: ProductFields.requires_shipping
      .optional()
      .describe(
        'True if the product is shipped to an address. Default: true for the type `physical`, otherwise false.',
      ),
    name: ProductFields.name,
    price_cents: ProductFields.price_cents
      .optional()
      .describe(
        'The price in minor units, which is also the price of the default variant. Required if `variants` is absent. Default: the price of the default variant.',
      ),
    variants: list(NewVariant, {
      max: VARIANTS_MAX,
      error: `Send at most ${VARIANTS_MAX} variants.`,
    })
      .min(1, 'Send at least one variant, or leave the field out.')
      .optional()
      .describe('The variants. Default: one variant "Default" with the price of the product.'),
  })
  .refine(({ price_cents, variants }) => price_cents !== undefined || variants !== undefined, {
    path: ['price_cents'],
    ...withRule('This field is required.', { rule: 'required' }),
    // The price is asked for together with other missing fields.
    when: () => true,
  })
  .meta({ id: 'ProductInput' })
export type NewProduct = z.output<typeof NewProduct>

const SORTS = ['created_at', 'name', 'price_cents', 'sales_count'] as const
const SORT_VALUES = SORTS.flatMap((name) => [name, `-${name}`] as const)

export const ProductQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('Only products with one of these statuses.'),
  visibility: OneOrMoreOf(VISIBILITIES).describe('Only products with one of these visibilities.'),
  type: OneOrMoreOf(PRODUCT_TYPES).describe('Only products of one of these types.'),
  product_kind: OneOrMoreOf(KINDS).describe('Only products of one of these kinds.'),
  active: QueryBoolean.optional().describe('Only products with this value of `active`.'),
  in_stock: QueryBoolean.optional().describe(
    'If true, only products with a variant that can be sold now; if false, only those without one.',
  ),
  category_id: IdText('Use the id of a category.')
    .optional()
    .describe('Only products in this category.'),
  group_id: IdText('Use the id of a group.').optional().describe('Only products in this group.'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('A part of the name, slug or SKU; case is ignored.'),
  include: OneOrMoreOf(SECTIONS).describe('The sections to add to each product.'),
  sort: z
    .enum(SORT_VALUES)
    .default('-created_at')
    .describe(
      'The field to sort by, with `-` for descending order. Equal values are sorted by id. Names are sorted as in a dictionary, and case is ignored.',
    ),
})
export type ProductQuery = z.output<typeof ProductQuery>
