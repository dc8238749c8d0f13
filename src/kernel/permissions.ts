import type { KeyKind } from './api-key.ts'

/** The areas of the Store API. `write` does not include `read` (decision 3). */
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

/** A permission of either API. */
export type Permission = `${(typeof AREAS)[number] | 'client_security'}:${'read' | 'write'}`

export const PERMISSIONS: readonly Permission[] = AREAS.flatMap((area) => [
  `${area}:read` as const,
  `${area}:write` as const,
])

/** The only permissions of the Client Security API (decision 20). */
const SECURITY_PERMISSIONS: readonly Permission[] = [
  'client_security:read',
  'client_security:write',
]

export const permissionsOf = (kind: KeyKind): readonly Permission[] =>
  kind === 'store' ? PERMISSIONS : SECURITY_PERMISSIONS
