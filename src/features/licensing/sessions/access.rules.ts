import type { Access } from '../../../kernel/client-shapes.ts'

/** The access of a session. `key_id` is null in a session without a license. */
export interface AccessLevel {
  key_id: number | null
  level: number | null
}

/** True if a record may be read. A record that may not be read is answered as not found. */
export function isVisible(
  { access, min_level }: { access: Access; min_level: number },
  reader: AccessLevel | undefined,
): boolean {
  if (access === 'public') return true
  if (!reader || reader.key_id === null) return false
  return access === 'session' || (reader.level ?? 0) >= min_level
}
