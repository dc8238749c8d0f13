import type { PageEntry } from '../../app/page-table.ts'
import { coupons } from '../../text/coupons.ts'
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
    path: 'coupons',
    load: () => import('./coupons.tsx'),
    nav: { group: 'catalogue', label: coupons.title, key: 'u' },
  },
  { path: 'coupons/$id', load: () => import('./coupon.tsx') },
]
