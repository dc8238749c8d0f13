import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'

export const cataloguePages: readonly PageEntry[] = [
  {
    path: 'products',
    load: () => import('./products.tsx'),
    nav: { group: 'catalogue', label: navigation.products, key: 'p' },
  },
  { path: 'products/$id', load: () => import('./product.tsx') },
  { path: 'products/$id/variants', load: () => import('./product-variants.tsx') },
  { path: 'products/$id/contents', load: () => import('./product-contents.tsx') },
  { path: 'products/$id/billing', load: () => import('./product-billing.tsx') },
  { path: 'products/$id/questions', load: () => import('./product-questions.tsx') },
  { path: 'products/$id/media', load: () => import('./product-media.tsx') },
  { path: 'products/$id/delivery', load: () => import('./product-delivery.tsx') },
  { path: 'products/$id/payment-methods', load: () => import('./product-methods.tsx') },
  { path: 'products/$id/seo', load: () => import('./product-seo.tsx') },
  { path: 'products/$id/stock', load: () => import('./product-stock.tsx') },
  { path: 'products/$id/variants/$variant/keys', load: () => import('./keys.tsx') },
  {
    path: 'stock',
    load: () => import('./stock.tsx'),
    nav: { group: 'catalogue', label: navigation.stock, key: 'q' },
  },
  { path: 'stock/pools', load: () => import('./stock-pools.tsx') },
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
