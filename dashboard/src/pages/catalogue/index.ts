import type { PageEntry } from '../../app/page-table.ts'
import { coupons } from '../../text/coupons.ts'
import { groupings } from '../../text/groupings.ts'
import { products } from '../../text/products.ts'

export const cataloguePages: readonly PageEntry[] = [
  {
    path: 'products',
    load: () => import('./products.tsx'),
    nav: { group: 'catalogue', label: products.title, key: 'p' },
  },
  { path: 'products/$id', load: () => import('./product.tsx') },
  { path: 'products/$id/variants/$variant/keys', load: () => import('./keys.tsx') },
  {
    path: 'categories',
    load: () => import('./categories.tsx'),
    nav: { group: 'catalogue', label: groupings.title, key: 'g' },
  },
  { path: 'categories/$id', load: () => import('./category.tsx') },
  { path: 'groups', load: () => import('./groups.tsx') },
  { path: 'groups/$id', load: () => import('./group.tsx') },
  {
    path: 'coupons',
    load: () => import('./coupons.tsx'),
    nav: { group: 'catalogue', label: coupons.title, key: 'u' },
  },
  { path: 'coupons/$id', load: () => import('./coupon.tsx') },
]
