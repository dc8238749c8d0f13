import type { App } from '../../../app.ts'
import { mayBeCommitted } from '../../../db/failure.ts'
import { iso } from '../../../kernel/time.ts'
import type { AnsweredCall } from './answered-call.ts'
import * as q from './queries.ts'

/** Counts in memory the operations that each key calls. */
interface UseCounter {
  count(call: AnsweredCall): void
  /**
   * Adds the counts in memory to the rows of the day. If that fails, they stay in memory for the next write,
   * unless they may have been added (decision 5).
   */
  write(): Promise<void>
}

/** The maximum number of pairs of a key and an operation between two writes. */
const USES_MAX = 20_000

export function createUseCounter(app: Pick<App, 'db'>): UseCounter {
  let uses = new Map<string, q.KeyUse>()

  function add(use: q.KeyUse): void {
    const mapKey = `${use.store_id}|${use.api_key_id}|${use.day}|${use.operation}`
    const bufferedUse = uses.get(mapKey)
    if (!bufferedUse && uses.size >= USES_MAX) return
    const { calls = 0, refused = 0, last_used_at = '' } = bufferedUse ?? {}
    uses.set(mapKey, {
      ...use,
      calls: calls + use.calls,
      refused: refused + use.refused,
      last_used_at: last_used_at > use.last_used_at ? last_used_at : use.last_used_at,
    })
  }

  return {
    count({ store_id, api_key_id, endpoint, answered_ms, status }) {
      if (!endpoint) return
      const { id: operation, permission } = endpoint
      const last_used_at = iso(answered_ms)
      const day = last_used_at.slice(0, 10)
      const refused = status >= 400 ? 1 : 0
      add({ store_id, api_key_id, day, operation, permission, last_used_at, calls: 1, refused })
    },
    async write() {
      if (uses.size === 0) return
      const batch = [...uses.values()]
      uses = new Map()
      try {
        await q.addUses(app.db, batch)
      } catch (error) {
        if (!mayBeCommitted(error)) for (const use of batch) add(use)
        throw error
      }
    },
  }
}
