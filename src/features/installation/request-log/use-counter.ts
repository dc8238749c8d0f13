import type { App } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { addUses, type KeyUse } from './queries.ts'
import type { SeenCall } from './seen-call.ts'

/** Counts which operations a key calls, without a statement a call. */
export interface UseCounter {
  count(call: SeenCall): void
  /** Adds the counts in memory to the rows of the day. */
  write(): Promise<void>
}

/** Operations of keys that are counted between two writes. */
const USES_MAX = 20_000

export function createUseCounter({ db }: Pick<App, 'db'>): UseCounter {
  let uses = new Map<string, KeyUse>()

  return {
    count({ store_id, api_key_id, operation, permission, at, status }) {
      if (operation === undefined || permission === undefined) return
      const last_used_at = iso(at)
      const day = last_used_at.slice(0, 10)
      const name = `${store_id}|${api_key_id}|${day}|${operation}`
      const known = uses.get(name)
      if (!known && uses.size >= USES_MAX) return
      const { calls = 0, refused = 0 } = known ?? {}
      uses.set(name, {
        ...{ store_id, api_key_id, day, operation, permission, last_used_at },
        calls: calls + 1,
        refused: refused + (status >= 400 ? 1 : 0),
      })
    },
    async write() {
      if (uses.size === 0) return
      const batch = [...uses.values()]
      uses = new Map()
      await addUses(db, batch)
    },
  }
}
