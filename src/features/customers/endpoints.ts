import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { Pagination } from '../../kernel/shapes.ts'
import { listBalanceEntries } from './list-balance-entries.ts'
import { BalanceEntry, BalanceQuery, CustomerPath } from './schema.ts'

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
    handle: ({ shop, params, query }) => listBalanceEntries(shop, params.id, query),
  }),
]
