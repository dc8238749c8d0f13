import type { Category, Group, Grouping } from './schema.ts'

/**
 * A kind of grouping that lists products: a category or a group. Both are stored alike (decision
 * 97).
 */
export interface Kind<S extends Grouping> {
  object: S['object']
  /** The name in error messages. */
  name: string
  table: 'category' | 'product_group'
}

export const CATEGORY: Kind<Category> = {
  object: 'category',
  name: 'Category',
  table: 'category',
}

export const GROUP: Kind<Group> = { object: 'group', name: 'Group', table: 'product_group' }
