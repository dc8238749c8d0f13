export const ROLES = ['owner', 'admin', 'staff', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

/** Only an owner makes owners, and changes or removes them (decision 136). */
export const mayManage = (by: Role, roles: readonly Role[]): boolean =>
  by === 'owner' || (by === 'admin' && !roles.includes('owner'))
