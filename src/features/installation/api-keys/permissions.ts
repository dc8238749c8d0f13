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

/** Areas of which no endpoint exists yet. A key may hold their permissions, and nothing lists them. */
const PLANNED_AREAS: readonly string[] = ['affiliates']

/** Without those of areas that do not exist yet (decision 125). */
export const listed = (permissions: Iterable<string>): string[] =>
  [...permissions].filter((item) => !PLANNED_AREAS.includes(item.split(':')[0] ?? ''))

/** Permissions of the Client Security API, and there are no others (decision 20). */
const SECURITY_PERMISSIONS: readonly string[] = ['client_security:read', 'client_security:write']

export const permissionsOf = (kind: KeyKind): readonly string[] =>
  kind === 'store' ? PERMISSIONS : SECURITY_PERMISSIONS
