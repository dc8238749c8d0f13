import type { Category, Group, Grouping } from './schema.ts'

/** What products are put on: a category or a group. They are kept alike (decision 97). */
export interface Kind<S extends Grouping> {
  object: S['object']
  /** As a refusal says it. */
  name: string
  table: 'category' | 'product_group'
}

export const CATEGORY: Kind<Category> = {
  object: 'category',
  name: 'Category',
  table: 'category',
}

export const GROUP: Kind<Group> = { object: 'group', name: 'Group', table: 'product_group' }
