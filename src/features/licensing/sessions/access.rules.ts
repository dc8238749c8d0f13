import type { Access } from '../../../kernel/client-shapes.ts'

/** The access of a session. `key_id` is null in a session without a license. */
interface AccessLevel {
  key_id: number | null
  level: number | null
}

/** Returns true if a session may read a record. Other records are answered as not found. */
export function isVisible(
  { access, min_level }: { access: Access; min_level: number },
  reader: AccessLevel | undefined,
): boolean {
  if (access === 'public') return true
  if (!reader || reader.key_id === null) return false
  return access === 'session' || (reader.level ?? 0) >= min_level
}
