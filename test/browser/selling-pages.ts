/** A page of the store that tests open with each role and in each state. */
export interface WalkedPage {
  /** The path below the store. `$order` is replaced by the id of this record. */
  path: string
  /** The area that a viewer lacks; undefined if the page offers no change. */
  area?: string
  /** True if the page needs the affiliate programme. */
  isOfAffiliates?: boolean
}

const isOfAffiliates = true

/** Every page of Home, Sell, Catalogue, People and Insight. */
export const PAGES: readonly WalkedPage[] = [
  { path: '' },
  { path: '/orders', area: 'orders' },
  { path: '/orders/$order', area: 'orders' },
  { path: '/orders/$unpaid', area: 'orders' },
  { path: '/orders?open=$order', area: 'orders' },
  { path: '/disputes' },
  { path: '/subscriptions' },
  { path: '/subscriptions/$subscription', area: 'subscriptions' },
  { path: '/returns' },
  { path: '/returns/$return', area: 'returns' },
  { path: '/tickets', area: 'tickets' },
  { path: '/tickets/$ticket', area: 'tickets' },
  { path: '/tickets/replies', area: 'tickets' },
  { path: '/products', area: 'products' },
  { path: '/products/$game', area: 'products' },
  { path: '/products/$game/variants/$pool/keys', area: 'stock' },
  { path: '/products/$mug/variants', area: 'products' },
  { path: '/products/$mug/media', area: 'products' },
  { path: '/products/$mug/delivery', area: 'products' },
  { path: '/products/$mug/payment-methods', area: 'products' },
  { path: '/products/$mug/seo', area: 'products' },
  { path: '/products/$mug/questions', area: 'products' },
  { path: '/products/$mug/stock', area: 'products' },
  { path: '/products/$set/contents', area: 'products' },
  { path: '/products/$club/billing', area: 'products' },
  { path: '/stock' },
  { path: '/stock/pools' },
  { path: '/categories', area: 'categories' },
  { path: '/categories/$category', area: 'categories' },
  { path: '/groups', area: 'groups' },
  { path: '/groups/$group', area: 'groups' },
  { path: '/coupons', area: 'coupons' },
  { path: '/coupons/$coupon', area: 'coupons' },
  { path: '/customers' },
  { path: '/customers/$customer', area: 'customers' },
  { path: '/customers/$customer/licenses', area: 'customers' },
  { path: '/customers/$customer/subscriptions', area: 'customers' },
  { path: '/customers/$customer/payment-methods', area: 'customers' },
  { path: '/customers/$customer/tickets', area: 'customers' },
  { path: '/customers/$customer/balance', area: 'customers' },
  { path: '/customers/$customer/consent', area: 'customers' },
  { path: '/reviews' },
  { path: '/reviews/$review', area: 'reviews' },
  { path: '/questions' },
  { path: '/questions/$question', area: 'questions' },
  { path: '/affiliates', isOfAffiliates },
  { path: '/affiliates/partners', area: 'affiliates', isOfAffiliates },
  { path: '/affiliates/partners/$partner', area: 'affiliates', isOfAffiliates },
  { path: '/affiliates/payouts', isOfAffiliates },
  { path: '/affiliates/payouts/$payout', area: 'affiliates', isOfAffiliates },
  { path: '/affiliates/program', area: 'affiliates' },
  { path: '/blocklist', area: 'blocklist' },
  { path: '/analytics' },
  { path: '/exports' },
]
