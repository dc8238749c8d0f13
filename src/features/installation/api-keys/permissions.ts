import type { KeyKind } from '../../../kernel/api-key.ts'

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

/** Permissions of the Client Security API, and there are no others (decision 20). */
const SECURITY_PERMISSIONS: readonly string[] = ['client_security:read', 'client_security:write']

export const permissionsOf = (kind: KeyKind): readonly string[] =>
  kind === 'store' ? PERMISSIONS : SECURITY_PERMISSIONS
