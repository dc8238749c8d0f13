export const ROLES = ['owner', 'admin', 'staff', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

/** Returns true if a user may manage users with these roles. Only owners manage owners (decision 136). */
export const mayManage = (managerRole: Role, roles: readonly Role[]): boolean =>
  managerRole === 'owner' || (managerRole === 'admin' && !roles.includes('owner'))
