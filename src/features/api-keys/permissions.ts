/** Areas of the Store API; `write` does not include `read` (decision 3). */
export const AREAS = [
  'account',
  'affiliates',
  'analytics',
  'blocklist',
  'categories',
  'coupons',
  'customers',
  'fulfillment',
  'groups',
  'orders',
  'products',
  'questions',
  'returns',
  'reviews',
  'stock',
  'subscriptions',
  'tickets',
  'webhooks',
] as const

export const PERMISSIONS: readonly string[] = AREAS.flatMap((area) => [
  `${area}:read` as const,
  `${area}:write` as const,
])
