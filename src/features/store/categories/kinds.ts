import type { Category, Group, Grouping } from './schema.ts'

/**
 * A kind of grouping: categories or groups. Both have the same columns and use cases.
 */
export interface Kind<S extends Grouping> {
  object: S['object']
  /** The name in error messages. */
  name: string
  plural: string
  table: 'category' | 'product_group'
}

export const CATEGORY: Kind<Category> = {
  object: 'category',
  name: 'Category',
  plural: 'categories',
  table: 'category',
}

export const GROUP: Kind<Group> = {
  object: 'group',
  name: 'Group',
  plural: 'groups',
  table: 'product_group',
}
