import type { KeyKind } from '../../../kernel/api-key.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import type { Role } from './roles.ts'

/** The areas of the Store API that staff may change; they read all (decision 136). */
const STAFF_AREAS: ReadonlySet<string> = new Set([
  ...['orders', 'fulfillment', 'returns', 'reviews', 'questions', 'tickets'],
  ...['customers', 'blocklist'],
])

const isAllowed = (role: Role, permission: string): boolean => {
  const [area = '', act] = permission.split(':')
  if (role === 'owner' || role === 'admin' || act === 'read') return true
  return role === 'staff' && STAFF_AREAS.has(area)
}

const permissionSets = new Map<string, ReadonlySet<string>>()

/** The permissions of a role on the Store API, or on the Client Security API (decision 136). */
export function permissionsOfRole(role: Role, kind: KeyKind): ReadonlySet<string> {
  const name = `${role}|${kind}`
  const permissions =
    permissionSets.get(name) ??
    new Set(permissionsOf(kind).filter((permission) => isAllowed(role, permission)))
  permissionSets.set(name, permissions)
  return permissions
}
