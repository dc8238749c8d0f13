import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectCustomer } from './queries/customers.ts'
import { selectCustomers } from './queries/list.ts'
import type { Customer, CustomerQuery } from './schema.ts'

export async function getCustomer({ db, store }: StoreContext, id: number): Promise<Customer> {
  return requireRecord(await selectCustomer(db, store, id), 'Customer')
}

export async function listCustomers({ db, store }: StoreContext, query: CustomerQuery) {
  const { customers, total } = await selectCustomers(db, store, query)
  return { customers, pagination: pagination(query, total) }
}
