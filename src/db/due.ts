import { sql } from 'kysely'
import type { Expression } from './database.ts'

/**
 * Rows that are due at a time of their store's clock, which can be ahead of the machine's on a test side. They need an index
 * on the time, and one on the store and the time.
 */
export interface TimedRows {
  /** The table and its joins, such as `payment p`. The alias `store` is taken. */
  from: Expression
  store_id: Expression
  due_at: Expression
  /** The rows that can be due. A row whose time is null never is. */
  where?: Expression
}

export interface DuePage {
  /** The machine's time. */
  now: string
  limit: number
  /** If it is absent, the rows of all stores are meant. */
  storeId?: number | undefined
}

const ALL = sql`true`
const OFFSET = sql`store.clock_offset_ms * interval '1 ms'`

/** The time by a store's clock, for a statement that reads `store`. */
export const storeTime = (now: string): Expression => sql`(${now}::timestamptz + ${OFFSET})`

/**
 * A select of the rows that are due by the clocks of their stores, the earliest first. It reads the index for all stores at
 * once, and again for each of the few stores whose clock was moved. A join of all due rows with their stores would read
 * all that are due.
 */
export function dueRows(rows: TimedRows, columns: Expression, page: DuePage): Expression {
  const { from, store_id, due_at, where = ALL } = rows
  const { now, limit, storeId } = page
  const ofStores = (stores: Expression) => sql`
     select due_row.*
       from store
      cross join lateral (
            select ${columns} from ${from}
             where ${store_id} = store.id and ${where} and ${due_at} <= ${storeTime(now)}
             order by ${due_at}
             limit ${limit}) due_row
      where ${stores}`
  // The caller may sort the rows and limit them further, which an own limit would not allow.
  if (storeId !== undefined) return sql`(${ofStores(sql`store.id = ${storeId}`)})`
  return sql`
    (select ${columns} from ${from}
      where ${where} and ${due_at} <= ${now}
      order by ${due_at}
      limit ${limit})
     union
    (${ofStores(sql`store.clock_offset_ms > 0`)}
      limit ${limit})`
}

/** The machine's time at which the next of the rows is due. */
export const nextDue = ({ from, store_id, due_at, where = ALL }: TimedRows): Expression => sql`
  least((select ${due_at} from ${from}
          where ${where} and ${due_at} is not null
          order by ${due_at}
          limit 1),
        (select min(due_row.due_at - ${OFFSET})
           from store
          cross join lateral (
            select ${due_at} as due_at from ${from}
             where ${store_id} = store.id and ${where} and ${due_at} is not null
             order by ${due_at}
             limit 1) due_row
          where store.clock_offset_ms > 0))`
