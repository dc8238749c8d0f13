import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { countedTo, type Page } from '../../../../kernel/page.ts'
import type { BalanceEntry } from '../schema.ts'

export async function customerExists(db: Db, storeId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from customer where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows.length > 0
}

/** Returns a page of balance entries, the newest first, and how many there are. */
export async function selectBalanceEntries(
  db: Db,
  storeId: number,
  customerId: number,
  { limit, offset }: Page,
): Promise<{ entries: BalanceEntry[]; total: number }> {
  const page = await sql<BalanceEntry>`
    select id, 'balance_entry' as object, customer_id, amount_cents, balance_cents, reason, order_id,
           created_at
      from balance_entry
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from balance_entry
             where store_id = ${storeId} and customer_id = ${customerId}
             limit ${countedTo({ limit, offset })}) e`.execute(db)
  return { entries: page.rows, total: count.rows[0]?.total ?? 0 }
}
