// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.

/** The areas of the Store API. Each has the permissions `<area>:read` and `<area>:write`. */
export const PERMISSION_AREAS = [
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
