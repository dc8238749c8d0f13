import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { NewOrderOf } from '../../../kernel/order.ts'
import { DateTime, HttpUrl, Line, PageQuery, ProductRef, Text } from '../../../kernel/shapes.ts'

/** The maximum number of categories of a store, and of groups. */
export const GROUPINGS_MAX = 500
const CATEGORY_PRODUCTS_MAX = 5_000
const GROUP_PRODUCTS_MAX = 500

const GroupingFields = {
  name: Line(128).describe('The name.'),
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,128}$/, 'Use a to z, 0 to 9 and hyphens, at most 128.')
    .describe('The name in addresses, unique in the store; generated from the name if absent.'),
  description: Text(5_000).nullable().describe('The description for customers.'),
  image_url: HttpUrl.nullable().describe('A picture of it.'),
  visibility: z
    .enum(['public', 'unlisted'])
    .describe(
      '`public` groups are listed in the storefront; others are visible only at their address.',
    ),
}
const Icon = Line(64).nullable().describe('Its icon, such as a name or an emoji.')

const Kept = {
  position: z.int().describe('Its position, from 0.'),
  product_count: z.int().describe('Products in it.'),
  created_at: DateTime.describe('When it was created.'),
  updated_at: DateTime.describe('When it was last changed.'),
}

export const Category = z
  .object({
    id: z.int().describe('The id of the category.'),
    object: z.literal('category').describe('Always `category`.'),
    ...GroupingFields,
    icon: Icon,
    ...Kept,
  })
  .meta({ id: 'Category', description: 'The category.' })
export type Category = z.output<typeof Category>

export const Group = z
  .object({
    id: z.int().describe('The id of the group.'),
    object: z.literal('group').describe('Always `group`.'),
    ...GroupingFields,
    product_ids: z.array(z.string()).describe('Its products by hash, in their order.'),
    ...Kept,
  })
  .meta({ id: 'Group', description: 'A card that holds several products.' })
export type Group = z.output<typeof Group>

export type Grouping = Category | Group

const New = {
  ...GroupingFields,
  slug: GroupingFields.slug.optional(),
  description: GroupingFields.description.default(null),
  image_url: GroupingFields.image_url.default(null),
  visibility: GroupingFields.visibility.default('public'),
}
export const NewGroup = z.strictObject(New).meta({ id: 'NewGroup' })
export type NewGroup = z.output<typeof NewGroup>
export const NewCategory = z
  .strictObject({ ...New, icon: Icon.default(null) })
  .meta({ id: 'NewCategory' })
export type NewCategory = z.output<typeof NewCategory>

export const GroupPatch = z.strictObject(GroupingFields).partial().meta({ id: 'GroupPatch' })
export const CategoryPatch = z
  .strictObject({ ...GroupingFields, icon: Icon })
  .partial()
  .meta({ id: 'CategoryPatch' })
export type CategoryPatch = z.output<typeof CategoryPatch>

export const GroupingQuery = z.object(PageQuery)
export const GroupingPositions = NewOrderOf(GROUPINGS_MAX)

const productsUpTo = (max: number) =>
  z.strictObject({
    product_ids: list(ProductRef, { max, error: `Name at most ${max} products.` }).describe(
      'Its products from now on, each once.',
    ),
  })
export const CategoryProducts = productsUpTo(CATEGORY_PRODUCTS_MAX).meta({ id: 'CategoryProducts' })
export const GroupProducts = productsUpTo(GROUP_PRODUCTS_MAX).meta({ id: 'GroupProducts' })
