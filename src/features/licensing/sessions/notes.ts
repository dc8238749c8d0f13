import type { Db } from '../../../db/database.ts'
import { addDownloads } from '../files/index.ts'
import { addFetches } from '../strings/index.ts'
import { touchKeys } from './queries/facts.ts'

/** What client programs use, and is counted. */
export type UsageKind = 'validated' | 'string' | 'file'

export interface Use {
  store_id: number
  id: number
  count: number
  /** By the store's clock. */
  at: string
}

/** Gathers uses in memory, so that reading costs no writing; a kill forgets at most a second of them. */
export interface UsageLog {
  add(what: UsageKind, use: Omit<Use, 'count'>): void
  flush(db: Db): Promise<void>
}

export function createUsageLog(): UsageLog {
  const uses: Record<UsageKind, Map<string, Use>> = {
    validated: new Map(),
    string: new Map(),
    file: new Map(),
  }

  function note(what: UsageKind, use: Use) {
    const name = `${use.store_id}|${use.id}`
    const known = uses[what].get(name)
    const at = known && known.at > use.at ? known.at : use.at
    uses[what].set(name, { ...use, at, count: (known?.count ?? 0) + use.count })
  }

  /** What cannot be written is kept for the next time, beside what came meanwhile. */
  async function write(db: Db, what: UsageKind, save: (db: Db, taken: Use[]) => Promise<void>) {
    const taken = [...uses[what].values()]
    if (taken.length === 0) return
    uses[what].clear()
    try {
      await save(db, taken)
    } catch (error) {
      for (const use of taken) note(what, use)
      throw error
    }
  }

  return {
    add: (what, use) => note(what, { ...use, count: 1 }),
    async flush(db) {
      await write(db, 'validated', touchKeys)
      await write(db, 'string', addFetches)
      await write(db, 'file', addDownloads)
    },
  }
}
