import type { KeyKind } from '../../../kernel/api-key.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import type { Role } from './roles.ts'

/** The areas of the Store API that staff may change. Staff may read all areas (decision 136). */
const STAFF_AREAS: ReadonlySet<string> = new Set([
  ...['orders', 'fulfillment', 'returns', 'reviews', 'questions', 'tickets'],
  ...['customers', 'blocklist'],
])

const isAllowed = (role: Role, permission: string): boolean => {
  const [area = '', access] = permission.split(':')
  if (role === 'owner' || role === 'admin' || access === 'read') return true
  return role === 'staff' && STAFF_AREAS.has(area)
}

const permissionSets = new Map<string, ReadonlySet<string>>()

/** Returns the permissions of a role for the Store API or the Client Security API (decision 136). */
export function permissionsOfRole(role: Role, kind: KeyKind): ReadonlySet<string> {
  const mapKey = `${role}|${kind}`
  const permissions =
    permissionSets.get(mapKey) ??
    new Set(permissionsOf(kind).filter((permission) => isAllowed(role, permission)))
  permissionSets.set(mapKey, permissions)
  return permissions
}
