import type { PageEntry } from '../../app/page-table.ts'
import { navigation } from '../../text/navigation.ts'

export const cataloguePages: readonly PageEntry[] = [
  {
    path: 'products',
    load: () => import('./products.tsx'),
    nav: { group: 'catalogue', label: navigation.products, key: 'p' },
  },
  { path: 'products/$id', load: () => import('./product.tsx') },
  { path: 'products/$id/variants', load: () => import('./product-variants.tsx') },
  { path: 'products/$id/media', load: () => import('./product-media.tsx') },
  { path: 'products/$id/delivery', load: () => import('./product-delivery.tsx') },
  { path: 'products/$id/payment-methods', load: () => import('./product-methods.tsx') },
  { path: 'products/$id/seo', load: () => import('./product-seo.tsx') },
  { path: 'products/$id/stock-alerts', load: () => import('./product-alerts.tsx') },
  { path: 'products/$id/variants/$variant/keys', load: () => import('./keys.tsx') },
  {
    path: 'categories',
    load: () => import('./categories.tsx'),
    nav: { group: 'catalogue', label: navigation.groupings, key: 'g' },
  },
  { path: 'categories/$id', load: () => import('./category.tsx') },
  { path: 'groups', load: () => import('./groups.tsx') },
  { path: 'groups/$id', load: () => import('./group.tsx') },
  {
    path: 'coupons',
    load: () => import('./coupons.tsx'),
    nav: { group: 'catalogue', label: navigation.coupons, key: 'u' },
  },
  { path: 'coupons/$id', load: () => import('./coupon.tsx') },
]
