import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { eraseCustomer } from './erase-customer.ts'
import { listBalanceEntries } from './list-balance-entries.ts'
import { BalanceEntry, BalanceQuery, CustomerPath, ErasedCustomer } from './schema.ts'

export const customerEndpoints = [
  endpoint({
    id: 'customers.list_balance_entries',
    method: 'GET',
    path: '/customers/:id/balance-entries',
    permission: 'customers:read',
    summary: 'List what changed the balance of a customer, the newest first.',
    params: CustomerPath,
    query: BalanceQuery,
    response: z.object({
      balance_entries: z.array(BalanceEntry).describe('A page of entries.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, query }) => listBalanceEntries(context, params.id, query),
  }),

  endpoint({
    id: 'customers.erase',
    method: 'POST',
    path: '/customers/:id/erase',
    permission: 'customers:write',
    summary: 'Remove the person; orders, totals, stock and licenses stay.',
    description:
      'Removes the e-mail address, name, addresses, notes and other texts of the customer from every record, ' +
      'and deletes their mail and stock alerts. A later order with the same e-mail address makes a new ' +
      'customer. It cannot be undone. Repeating the call changes nothing and answers the same.',
    params: CustomerPath,
    response: ErasedCustomer,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => eraseCustomer(context, params.id),
  }),
]
