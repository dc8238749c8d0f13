import { sql } from 'kysely'
import type { CreatedPeriod } from '../../../../db/created.ts'
import type { Db } from '../../../../db/database.ts'
import { selectPage } from '../../../../db/newest.ts'
import { hasRows } from '../../../../db/rows.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { BalanceEntry } from '../schema.ts'

export const customerExists = (db: Db, storeId: number, id: number) =>
  hasRows(db)`
    select from customer where store_id = ${storeId} and id = ${id}`

const BALANCE_ENTRY = sql`
  t.id, 'balance_entry' as object, t.customer_id, t.amount_cents, t.balance_cents, t.reason,
  t.order_id, t.created_at`

/** Returns a page of balance entries, the newest first, and the number of entries. */
export const selectBalanceEntries = (
  db: Db,
  storeId: number,
  customerId: number,
  page: Page & CreatedPeriod,
) =>
  selectPage<BalanceEntry>(db, {
    table: 'balance_entry',
    columns: BALANCE_ENTRY,
    storeId,
    ...page,
    filters: [sql`t.customer_id = ${customerId}`],
  })
