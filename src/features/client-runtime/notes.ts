import type { Db } from '../../db/database.ts'
import { addDownloads } from '../serverside-files/index.ts'
import { addFetches } from '../serverside-strings/index.ts'
import { touchKeys } from './queries/facts.ts'

/** What client programs use, and is counted. */
export type Noted = 'validated' | 'string' | 'file'

export interface Use {
  store_id: number
  id: number
  count: number
  /** By the store's clock. */
  at: string
}

/** Gathers uses in memory, so that reading costs no writing; a kill forgets at most a second of them. */
export interface Notes {
  add(what: Noted, use: Omit<Use, 'count'>): void
  flush(db: Db): Promise<void>
}

export function createNotes(): Notes {
  const uses = { validated: new Map<string, Use>(), string: new Map(), file: new Map() }

  function take(what: Noted): Use[] {
    const taken: Use[] = [...uses[what].values()]
    uses[what].clear()
    return taken
  }

  return {
    add(what, use) {
      const name = `${use.store_id}|${use.id}`
      const count = (uses[what].get(name)?.count ?? 0) + 1
      uses[what].set(name, { ...use, count })
    },
    async flush(db) {
      const [validated, strings, files] = [take('validated'), take('string'), take('file')]
      if (validated.length > 0) await touchKeys(db, validated)
      if (strings.length > 0) await addFetches(db, strings)
      if (files.length > 0) await addDownloads(db, files)
    },
  }
}
