import { permissionAreas, permissionLevels } from '../text/permission-areas.ts'

const textIn = (texts: Readonly<Record<string, string>>, word: string): string =>
  (Object.hasOwn(texts, word) ? texts[word] : undefined) ?? word

/** Permissions by area, such as `Orders: read, change` for `orders:read` and `orders:write`. */
export function permissionTexts(permissions: readonly string[]): string[] {
  const levels = new Map<string, string[]>()
  for (const permission of permissions) {
    const [area = '', level = ''] = permission.split(':')
    levels.set(area, [...(levels.get(area) ?? []), textIn(permissionLevels, level)])
  }
  return [...levels].map(([area, names]) => `${textIn(permissionAreas, area)}: ${names.join(', ')}`)
}

/** A permission in words, such as `Orders: change`. */
export const permissionText = (permission: string): string => permissionTexts([permission]).join()
