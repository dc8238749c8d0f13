import type { Db } from '../../../db/database.ts'
import { mayBeCommitted } from '../../../db/failure.ts'
import type { Uses } from '../app-records/index.ts'
import { addDownloads } from '../files/index.ts'
import { addFetches } from '../strings/index.ts'
import * as q from './queries/index.ts'

/** The kinds of use that are counted. */
export type UsageKind = 'license_key' | 'string' | 'file'

/** Buffers uses in memory, so that a read causes no write. A crash loses the uses of at most one second. */
export interface UsageLog {
  add(kind: UsageKind, use: Omit<Uses, 'count'>): void
  /** Records which license key read a record. */
  addRead(read: Omit<q.ReadCount, 'count'>): void
  flush(db: Db): Promise<void>
}

/** Sums up uses until they are saved. */
function createBuffer<Use extends { at: string; count: number }>(
  keyOf: (use: Use) => string,
  save: (db: Db, batch: Use[]) => Promise<void>,
) {
  const buffer = new Map<string, Use>()

  function add(use: Use) {
    const mapKey = keyOf(use)
    const bufferedEntry = buffer.get(mapKey)
    const latest = bufferedEntry && bufferedEntry.at > use.at ? bufferedEntry : use
    buffer.set(mapKey, { ...latest, count: (bufferedEntry?.count ?? 0) + use.count })
  }

  /**
   * Saves the buffered uses. If that fails, they stay in the buffer for the next flush, unless they may have
   * been saved (decision 5).
   */
  async function flush(db: Db) {
    const batch = [...buffer.values()]
    if (batch.length === 0) return
    buffer.clear()
    try {
      await save(db, batch)
    } catch (error) {
      if (!mayBeCommitted(error)) for (const use of batch) add(use)
      throw error
    }
  }

  return { add, flush }
}

export function createUsageLog(): UsageLog {
  const keyOf = ({ store_id, id }: Uses) => `${store_id}|${id}`
  const uses = {
    license_key: createBuffer(keyOf, q.recordValidations),
    string: createBuffer(keyOf, addFetches),
    file: createBuffer(keyOf, addDownloads),
  }
  const reads = createBuffer(
    ({ store_id, kind, record_id, key_id }: q.ReadCount) =>
      `${store_id}|${kind}|${record_id}|${key_id}`,
    q.addReads,
  )

  return {
    add: (kind, use) => uses[kind].add({ ...use, count: 1 }),
    addRead: (read) => reads.add({ ...read, count: 1 }),
    async flush(db) {
      for (const buffer of [...Object.values(uses), reads]) await buffer.flush(db)
    },
  }
}
