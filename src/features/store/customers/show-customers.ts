import { openCursorPage } from '../../../kernel/cursor.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Customer, CustomerQuery, CustomerSort } from './schema.ts'

export async function getCustomer({ db, store }: StoreContext, id: number): Promise<Customer> {
  return requireRecord(await q.selectCustomer(db, store, id), 'Customer')
}

export async function listCustomers({ db, store, vault }: StoreContext, query: CustomerQuery) {
  const field = query.sort.replace('-', '') as CustomerSort
  const { cursor, ...filters } = query
  const page = openCursorPage<Customer>(query, {
    scope: { list: 'customers', store: store.id },
    sign: (text) => vault.hmac('list_cursor', text),
    placeOf: (customer) => ({ value: customer[field], id: customer.id }),
  })
  const found = await q.selectCustomers(db, store, { ...filters, ...page.read })
  const { rows, pagination: shown } = page.answer(found.customers, found.total)
  return { customers: rows, pagination: shown }
}
