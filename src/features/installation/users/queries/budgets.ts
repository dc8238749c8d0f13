import type { Db } from '../../../../db/database.ts'
import { allRows, execute } from '../../../../db/rows.ts'

interface AttemptCount {
  name_hash: Buffer
  attempts: number
  resets_at: string
}

/**
 * Counts an attempt under each name, and returns the new counts. The names are sorted, so that
 * concurrent calls cannot deadlock.
 */
export const countAttempts = (
  db: Db,
  names: readonly Buffer[],
  { now, resets_at }: { now: string; resets_at: string },
) =>
  allRows<AttemptCount>(db)`
    insert into sign_in_budget as b (name_hash, tries, resets_at)
    select n.name_hash, 1, ${resets_at}::timestamptz
      from unnest(${names}::bytea[]) as n(name_hash)
     order by n.name_hash
        on conflict (name_hash) do update
       set tries = case when b.resets_at <= ${now} then 1 else b.tries + 1 end,
           resets_at = case when b.resets_at <= ${now} then excluded.resets_at else b.resets_at end
    returning name_hash, tries as attempts, resets_at`

/** Subtracts an attempt that was not a wrong guess. */
export const uncountAttempts = (db: Db, names: readonly Buffer[]) =>
  execute(db)`
    with locked as (
      select name_hash from sign_in_budget
       where name_hash = any(${names}::bytea[])
       order by name_hash
         for update)
    update sign_in_budget b set tries = greatest(b.tries - 1, 0)
      from locked l where l.name_hash = b.name_hash`
