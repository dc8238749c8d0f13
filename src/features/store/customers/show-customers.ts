import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectCustomer } from './queries/customers.ts'
import { selectCustomers } from './queries/list.ts'
import type { Customer, CustomerQuery } from './schema.ts'

export async function getCustomer({ db, store }: StoreContext, id: number): Promise<Customer> {
  return found(await selectCustomer(db, store, id), 'Customer')
}

export async function listCustomers(
  { db, store }: StoreContext,
  query: CustomerQuery,
): Promise<{ customers: Customer[]; pagination: Pagination }> {
  const { customers, total } = await selectCustomers(db, store, query)
  return { customers, pagination: pagination(query, total) }
}
