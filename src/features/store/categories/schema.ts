import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import {
  Characters,
  DateTime,
  HttpUrl,
  Line,
  ListQuery,
  ProductRef,
  Text,
} from '../../../kernel/shapes.ts'
import { SortedIds } from '../../../kernel/sorted-ids.ts'

/** The maximum number of categories of a store, and also of groups. */
export const GROUPINGS_MAX = 500
const CATEGORY_PRODUCTS_MAX = 5_000
const GROUP_PRODUCTS_MAX = 500

const SLUG_TEXT = 'The name in URLs, unique among the categories or groups of the store.'

const GroupingFields = {
  name: Line(128).describe('The name.'),
  slug: Characters(
    128,
    /^[a-z0-9-]{1,128}$/,
    'Use a to z, 0 to 9 and hyphens, at most 128.',
  ).describe(SLUG_TEXT),
  description: Text(5_000).nullable().describe('The description for customers.'),
  image_url: HttpUrl.nullable().describe('The URL of a picture.'),
  visibility: z
    .enum(['public', 'unlisted'])
    .describe(
      'If `public`, it is listed in the storefront. If `unlisted`, it can be seen only at its URL.',
    ),
}
const Icon = Line(64).nullable().describe('The icon, such as its name or an emoji.')

const ReadOnlyFields = {
  position: z.int().describe('The position in the list, from 0.'),
  product_count: z.int().describe('The number of its products.'),
  created_at: DateTime.describe('The time of creation.'),
  updated_at: DateTime.describe('The time of the last change.'),
}

export const Category = z
  .object({
    id: z.int().describe('The id of the category.'),
    object: z.literal('category').describe('Always `category`.'),
    ...GroupingFields,
    icon: Icon,
    ...ReadOnlyFields,
  })
  .meta({ id: 'Category', description: 'A list of products in the storefront.' })
export type Category = z.output<typeof Category>

export const Group = z
  .object({
    id: z.int().describe('The id of the group.'),
    object: z.literal('group').describe('Always `group`.'),
    ...GroupingFields,
    product_ids: z.array(z.string()).describe('The hashes of its products, in their sort order.'),
    ...ReadOnlyFields,
  })
  .meta({ id: 'Group', description: 'Several products that the storefront shows as one card.' })
export type Group = z.output<typeof Group>

export type Grouping = Category | Group

const NewFields = {
  ...GroupingFields,
  slug: GroupingFields.slug.optional().describe(`${SLUG_TEXT} Default: made from the name.`),
  description: GroupingFields.description.default(null),
  image_url: GroupingFields.image_url.default(null),
  visibility: GroupingFields.visibility.default('public'),
}
export const NewGroup = z.strictObject(NewFields).meta({ id: 'GroupInput' })
export type NewGroup = z.output<typeof NewGroup>
export const NewCategory = z
  .strictObject({ ...NewFields, icon: Icon.default(null) })
  .meta({ id: 'CategoryInput' })
export type NewCategory = z.output<typeof NewCategory>

export const GroupPatch = z.strictObject(GroupingFields).partial().meta({ id: 'GroupPatch' })
export const CategoryPatch = z
  .strictObject({ ...GroupingFields, icon: Icon })
  .partial()
  .meta({ id: 'CategoryPatch' })
export type CategoryPatch = z.output<typeof CategoryPatch>

export const GroupingQuery = z.object(ListQuery)
export const GroupingPositions = SortedIds(GROUPINGS_MAX)

const productsUpTo = (max: number) =>
  z.strictObject({
    product_ids: list(ProductRef, { max, error: `Name at most ${max} products.` }).describe(
      'The ids of all its products, each once.',
    ),
  })
export const CategoryProducts = productsUpTo(CATEGORY_PRODUCTS_MAX).meta({ id: 'CategoryProducts' })
export const GroupProducts = productsUpTo(GROUP_PRODUCTS_MAX).meta({ id: 'GroupProducts' })
