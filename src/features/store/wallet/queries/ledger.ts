import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import type { LedgerEntry } from '../ledger-schema.ts'

/** The position of an entry. Entries of the same time are sorted by their source, then by their id. */
export interface Position {
  at: string
  source: number
  record_id: number
}

export type LedgerRow = LedgerEntry & Position

/** A table whose records change an account. Each has an index on (store_id, at desc, id desc). */
interface Source {
  table: string
  prefix: string
  at: RawBuilder<unknown>
  account: LedgerEntry['account']
  amount: RawBuilder<unknown>
  order_id: RawBuilder<unknown>
  reason: RawBuilder<unknown>
  only?: RawBuilder<unknown>
}

const SOURCES: readonly Source[] = [
  {
    table: 'payment',
    prefix: 'payment_',
    at: sql`coalesce(t.reviewed_at, t.created_at)`,
    account: 'wallet',
    amount: sql`t.amount_cents`,
    order_id: sql`t.order_id`,
    reason: sql`'payment'`,
    only: sql`t.status in ('approved', 'succeeded') and t.amount_cents > 0`,
  },
  {
    table: 'refund',
    prefix: 'refund_',
    at: sql`t.created_at`,
    account: 'wallet',
    amount: sql`-t.amount_cents`,
    order_id: sql`t.order_id`,
    reason: sql`'refund'`,
    only: sql`t.amount_cents > 0`,
  },
  {
    table: 'withdrawal',
    prefix: 'withdrawal_',
    at: sql`t.created_at`,
    account: 'wallet',
    amount: sql`-t.amount_cents`,
    order_id: sql`null`,
    reason: sql`'withdrawal'`,
  },
  {
    table: 'withdrawal',
    prefix: 'withdrawal_returned_',
    at: sql`t.returned_at`,
    account: 'wallet',
    amount: sql`t.amount_cents`,
    order_id: sql`null`,
    reason: sql`'withdrawal_returned'`,
    only: sql`t.returned_at is not null`,
  },
  {
    table: 'balance_entry',
    prefix: 'balance_entry_',
    at: sql`t.created_at`,
    account: 'customer_balances',
    amount: sql`t.amount_cents`,
    order_id: sql`t.order_id`,
    // The reason of the seller is free text, which may name a person.
    reason: sql`case when t.order_id is null then 'adjustment' else t.reason end`,
  },
]

/** A page of the ledger and one entry more, the newest first. Each source reads at most as many. */
export async function selectLedger(
  db: Db,
  { id: storeId, currency }: { id: number; currency: string },
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<LedgerRow[]> {
  const parts = SOURCES.map((source, index) => {
    const { table, prefix, at, account, amount, order_id, reason, only } = source
    const wheres = [sql`t.store_id = ${storeId}`]
    if (only) wheres.push(only)
    if (after) wheres.push(isAfter(at, index + 1, after))
    return sql`
      (select ${sql.lit(prefix)} || t.id as id, ${at} as at, ${sql.lit(account)} as account,
              ${amount} as amount_cents, ${order_id}::text as order_id, ${reason}::text as reason,
              ${sql.lit(index + 1)} as source, t.id as record_id
         from ${sql.table(table)} t
        where ${sql.join(wheres, sql` and `)}
        order by ${at} desc, t.id desc
        limit ${limit + 1})`
  })
  const { rows } = await sql<LedgerRow>`-- planned anew
    select e.*, ${currency}::text as currency
      from (${sql.join(parts, sql` union all `)}) e
     order by e.at desc, e.source desc, e.record_id desc
     limit ${limit + 1}`.execute(db)
  return rows
}

function isAfter(at: RawBuilder<unknown>, source: number, after: Position): RawBuilder<unknown> {
  const moment = sql`${after.at}::timestamptz`
  if (source < after.source) return sql`${at} <= ${moment}`
  if (source > after.source) return sql`${at} < ${moment}`
  return sql`(${at}, t.id) < (${moment}, ${after.record_id}::bigint)`
}
