import { withForms } from '../../../kernel/email.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { readPartnersOf } from '../affiliates/index.ts'
import { selectEntriesOf } from '../blocklist/index.ts'
import { selectBalanceEntries, selectCustomer, selectMergedCustomers } from '../customers/index.ts'
import { readOrdersOf } from '../orders/index.ts'
import { selectMethods } from '../payment-methods/index.ts'
import * as q from './queries/index.ts'
import type { CustomerExport } from './schema.ts'

/**
 * Returns all data that the store has about a person (decision 140). Orders and balance entries are paged
 * together, so that the answer is bounded. All other records are in every page.
 */
export async function exportCustomer(
  context: StoreContext,
  id: number,
  page: Page,
): Promise<CustomerExport> {
  const { db, store } = context
  const customer = requireRecord(await selectCustomer(db, store, id), 'Customer')
  const merged_customers = await selectMergedCustomers(db, store.id, id)
  const emails = withForms([
    customer.email,
    ...merged_customers.flatMap(({ email }) => email ?? []),
    ...(await q.selectOrderEmails(db, store.id, id)),
  ])
  const { orders, total } = await readOrdersOf(context, id, page)
  const balance = await selectBalanceEntries(db, store.id, id, page)
  return {
    customer,
    merged_customers,
    orders,
    balance_entries: balance.records,
    blocklist_entries: await selectEntriesOf(db, store.id, id, emails),
    affiliate_partners: await readPartnersOf(context, emails),
    licenses: await q.selectLicenses(db, store.id, id, emails),
    payment_methods: await selectMethods(db, store.id, id),
    stock_alerts: await q.selectStockAlerts(db, store.id, emails),
    messages: await q.selectMessages(db, store.id, emails),
    page: pagination(page, Math.max(total, balance.total)),
  }
}
