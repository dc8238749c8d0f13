import type { Access } from '../../../kernel/client-shapes.ts'

/** Who asks: nobody, a session without a license, or one with. */
export interface Reader {
  key_id: number | null
  level: number | null
}

/** Whether a record may be seen. What may not is as if it were not there. */
export function maySee(
  { access, min_level }: { access: Access; min_level: number },
  reader: Reader | undefined,
): boolean {
  if (access === 'public') return true
  if (!reader || reader.key_id === null) return false
  return access === 'session' || (reader.level ?? 0) >= min_level
}
