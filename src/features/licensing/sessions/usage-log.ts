import type { Db } from '../../../db/database.ts'
import { addDownloads } from '../files/index.ts'
import { addFetches } from '../strings/index.ts'
import { touchKeys } from './queries/facts.ts'

/** The kinds of use that are counted. */
export type UsageKind = 'validated' | 'string' | 'file'

export interface Use {
  store_id: number
  id: number
  count: number
  /** By the store's clock. */
  at: string
}

/** Buffers uses in memory, so that a read causes no write. A crash loses at most one second of them. */
export interface UsageLog {
  add(kind: UsageKind, use: Omit<Use, 'count'>): void
  flush(db: Db): Promise<void>
}

export function createUsageLog(): UsageLog {
  const uses: Record<UsageKind, Map<string, Use>> = {
    validated: new Map(),
    string: new Map(),
    file: new Map(),
  }

  function record(kind: UsageKind, use: Use) {
    const name = `${use.store_id}|${use.id}`
    const known = uses[kind].get(name)
    const at = known && known.at > use.at ? known.at : use.at
    uses[kind].set(name, { ...use, at, count: (known?.count ?? 0) + use.count })
  }

  /** Uses that cannot be written stay in the buffer for the next flush. */
  async function write(db: Db, kind: UsageKind, save: (db: Db, batch: Use[]) => Promise<void>) {
    const batch = [...uses[kind].values()]
    if (batch.length === 0) return
    uses[kind].clear()
    try {
      await save(db, batch)
    } catch (error) {
      for (const use of batch) record(kind, use)
      throw error
    }
  }

  return {
    add: (kind, use) => record(kind, { ...use, count: 1 }),
    async flush(db) {
      await write(db, 'validated', touchKeys)
      await write(db, 'string', addFetches)
      await write(db, 'file', addDownloads)
    },
  }
}
