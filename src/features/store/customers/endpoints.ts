import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { CursorPagination, Pagination } from '../../../kernel/shapes.ts'
import { changeBalance } from './change-balance.ts'
import { createCustomer } from './create-customer.ts'
import { listBalanceEntries } from './list-balance-entries.ts'
import {
  BalanceChange,
  BalanceEntry,
  BalanceQuery,
  Customer,
  CustomerPatch,
  CustomerPath,
  CustomerQuery,
  NewCustomer,
} from './schema.ts'
import { getCustomer, listCustomers } from './show-customers.ts'
import { updateCustomer } from './update-customer.ts'

const OneCustomer = z.object({ customer: Customer })

export const customerEndpoints = [
  endpoint({
    id: 'customers.list',
    method: 'GET',
    path: '/customers',
    permission: 'customers:read',
    summary: 'List customers.',
    description: '`total` is exact up to 10,000; `has_more` is always exact.',
    query: CustomerQuery,
    response: z.object({
      customers: z.array(Customer).describe('A page of customers.'),
      pagination: CursorPagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listCustomers(context, query),
  }),
  endpoint({
    id: 'customers.create',
    method: 'POST',
    path: '/customers',
    permission: 'customers:write',
    summary: 'Create a customer.',
    description: 'The first order with a new email address creates one too.',
    body: NewCustomer,
    example: { email: 'ada@example.com', name: 'Ada Lovelace', country: 'GB', tags: ['vip'] },
    status: 201,
    response: OneCustomer,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'customer.create', object: 'customer' },
    handle: async ({ context, body }) => ({ customer: await createCustomer(context, body) }),
  }),
  endpoint({
    id: 'customers.get',
    method: 'GET',
    path: '/customers/:id',
    permission: 'customers:read',
    summary: 'Get a customer.',
    params: CustomerPath,
    response: OneCustomer,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ customer: await getCustomer(context, params.id) }),
  }),
  endpoint({
    id: 'customers.update',
    method: 'PATCH',
    path: '/customers/:id',
    permission: 'customers:write',
    summary: 'Update a customer. Absent fields keep their values; null clears a field.',
    description:
      'Existing orders keep the name and the country of the customer at the time of the order.',
    params: CustomerPath,
    body: CustomerPatch,
    example: { note: 'Prefers to be called.', tags: ['vip'] },
    response: OneCustomer,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'customer.update', object: 'customer' },
    handle: async ({ context, params, body }) => ({
      customer: await updateCustomer(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'customers.change_balance',
    method: 'POST',
    path: '/customers/:id/balance',
    permission: 'customers:write',
    summary: 'Credit or debit the balance of a customer.',
    description: 'A debit that would take the balance below 0 is refused and changes nothing.',
    params: CustomerPath,
    body: BalanceChange,
    example: { amount_cents: 500, reason: 'For the late delivery.' },
    status: 201,
    response: z.object({
      balance_cents: z.int().describe('The balance after the change, in minor units.'),
      balance_entry: BalanceEntry,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'customer.change_balance', object: 'customer' },
    handle: ({ context, params, body }) => changeBalance(context, params.id, body),
  }),
  endpoint({
    id: 'customers.list_balance_entries',
    method: 'GET',
    path: '/customers/:id/balance-entries',
    permission: 'customers:read',
    summary: "List the changes of a customer's balance, the newest first.",
    params: CustomerPath,
    query: BalanceQuery,
    response: z.object({
      balance_entries: z.array(BalanceEntry).describe('A page of entries.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, query }) => listBalanceEntries(context, params.id, query),
  }),
]
