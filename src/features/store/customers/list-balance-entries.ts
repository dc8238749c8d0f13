import type { CreatedPeriod } from '../../../db/created.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'

/** Returns a page of the changes of a customer's balance, the newest first (decision 44). */
export async function listBalanceEntries(
  { db, store }: StoreContext,
  customerId: number,
  page: Page & CreatedPeriod,
) {
  if (!(await q.customerExists(db, store.id, customerId))) throw notFound('Customer')
  const { records, total } = await q.selectBalanceEntries(db, store.id, customerId, page)
  return { balance_entries: records, pagination: pagination(page, total) }
}
