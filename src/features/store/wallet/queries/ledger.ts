import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, REPLANNED } from '../../../../db/rows.ts'
import type { LedgerEntry } from '../ledger-schema.ts'

/** The position of an entry. Entries with the same time are sorted by source and then by id. */
export interface LedgerPosition {
  at: string
  source: number
  record_id: number
}

type LedgerRow = LedgerEntry & LedgerPosition

/** A table whose records change an account. Each has an index on (store_id, at desc, id desc). */
interface LedgerSource {
  table: string
  prefix: string
  at: RawBuilder<unknown>
  account: LedgerEntry['account']
  amount: RawBuilder<unknown>
  order_id: RawBuilder<unknown>
  reason: RawBuilder<unknown>
  condition?: RawBuilder<unknown>
}

const SOURCES: readonly LedgerSource[] = [
  {
    table: 'payment',
    prefix: 'payment_',
    at: sql`coalesce(t.reviewed_at, t.created_at)`,
    account: 'wallet',
    amount: sql`t.amount_cents`,
    order_id: sql`t.order_id`,
    reason: sql`'payment'`,
    condition: sql`t.status in ('approved', 'succeeded', 'disputed') and t.amount_cents > 0`,
  },
  {
    table: 'refund',
    prefix: 'refund_',
    at: sql`t.created_at`,
    account: 'wallet',
    amount: sql`-t.amount_cents`,
    order_id: sql`t.order_id`,
    reason: sql`'refund'`,
    condition: sql`t.amount_cents > 0`,
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
    condition: sql`t.returned_at is not null`,
  },
  {
    table: 'balance_entry',
    prefix: 'balance_entry_',
    at: sql`t.created_at`,
    account: 'customer_balances',
    amount: sql`t.amount_cents`,
    order_id: sql`t.order_id`,
    // The reason of an adjustment is free text, which may contain a name.
    reason: sql`case when t.order_id is null then 'adjustment' else t.reason end`,
  },
]

/** Returns a page of the ledger and one more entry, the newest first. No source reads more rows than that. */
export async function selectLedger(
  db: Db,
  { id: storeId, currency }: { id: number; currency: string },
  { limit, after }: { limit: number; after: LedgerPosition | undefined },
): Promise<LedgerRow[]> {
  const selects = SOURCES.map((source, index) => {
    const { table, prefix, at, account, amount, order_id, reason, condition } = source
    const conditions = [sql`t.store_id = ${storeId}`]
    if (condition) conditions.push(condition)
    if (after) conditions.push(isAfter(at, index + 1, after))
    return sql`
      (select ${sql.lit(prefix)} || t.id as id, ${at} as at, ${sql.lit(account)} as account,
              ${amount} as amount_cents, ${order_id}::text as order_id, ${reason}::text as reason,
              ${sql.lit(index + 1)} as source, t.id as record_id
         from ${sql.table(table)} t
        where ${sql.join(conditions, sql` and `)}
        order by ${at} desc, t.id desc
        limit ${limit + 1})`
  })
  return allRows<LedgerRow>(db)`${REPLANNED}
    select entry.*, ${currency}::text as currency
      from (${sql.join(selects, sql` union all `)}) entry
     order by entry.at desc, entry.source desc, entry.record_id desc
     limit ${limit + 1}`
}

function isAfter(
  time: RawBuilder<unknown>,
  source: number,
  after: LedgerPosition,
): RawBuilder<unknown> {
  const moment = sql`${after.at}::timestamptz`
  if (source < after.source) return sql`${time} <= ${moment}`
  if (source > after.source) return sql`${time} < ${moment}`
  return sql`(${time}, t.id) < (${moment}, ${after.record_id}::bigint)`
}
