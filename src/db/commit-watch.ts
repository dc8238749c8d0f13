import type { Db } from './database.ts'
import { firstValue } from './rows.ts'
import type { Writes } from './writes.ts'

/** Returns true if rows may have changed since the last call. */
export type CommitWatch = () => Promise<boolean>

/**
 * Creates a watch of commits. On a server it compares snapshots, which list the running transactions and
 * the next transaction id: if two snapshots are equal, no row has changed. For an embedded database it
 * compares the number of commits of this process, because no other process writes.
 */
export function watchCommits({ db, writes }: { db: Db; writes: Writes }, isServer: boolean) {
  let lastState: string | undefined
  const watch: CommitWatch = async () => {
    const state = isServer ? await selectSnapshot(db) : String(writes.count())
    if (isServer) writes.reportSnapshot(state)
    const hasChanged = state !== lastState
    lastState = state
    return hasChanged
  }
  return watch
}

const selectSnapshot = (db: Db) =>
  firstValue<string>(db)`select pg_current_snapshot()::text as mark`
