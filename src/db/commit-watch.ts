import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Writes } from './writes.ts'

/** Detects, with a short statement, whether rows may have changed since the last call. */
export type CommitWatch = () => Promise<boolean>

/**
 * On a server other processes commit too. Two equal snapshots see the same rows: a snapshot names the
 * transactions that have not ended, and the first that has not begun. Only this process writes to an
 * embedded database, and knows its commits.
 */
export function watchCommits({ db, writes }: { db: Db; writes: Writes }, isServer: boolean) {
  let last: string | undefined
  const watch: CommitWatch = async () => {
    const mark = isServer ? await selectSnapshot(db) : String(writes.count())
    const changed = mark !== last
    last = mark
    return changed
  }
  return watch
}

async function selectSnapshot(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ mark: string }>`select pg_current_snapshot()::text as mark`.execute(
    db,
  )
  return rows[0]?.mark
}
