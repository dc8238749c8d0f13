import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Customer, CustomerPath } from '../customers/index.ts'
import { eraseCustomer } from './erase-customer.ts'
import { exportCustomer } from './export-customer.ts'
import { mergeCustomers } from './merge-customers.ts'
import { CustomerExport, CustomerMerge, ErasedCustomer, ExportQuery } from './schema.ts'

export const personalDataEndpoints = [
  endpoint({
    id: 'customers.merge',
    method: 'POST',
    path: '/customers/:id/merge',
    permission: 'customers:write',
    summary: 'Merge a customer into another one, which stays.',
    description:
      'Orders, balance, balance entries, totals, coupon uses and a block move to the customer `into`. Its own name, country and metadata win; empty ones are filled, tags and notes are joined. The merged customer is deleted. Its orders keep their e-mail address, and a later order with that address creates a new customer. It cannot be undone.',
    params: CustomerPath,
    body: CustomerMerge,
    example: { into: 42 },
    response: z.object({ customer: Customer }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    handle: async ({ context, params, body }) => ({
      customer: await mergeCustomers(context, params.id, body.into),
    }),
  }),
  endpoint({
    id: 'customers.export',
    method: 'GET',
    path: '/customers/:id/export',
    permission: 'customers:write',
    summary: 'Export everything that the store keeps about a customer.',
    description:
      'Shows delivered keys and texts, so it needs `customers:write` and is audited. Orders and balance entries are paged together; repeat the call with a higher `offset` while `page.has_more`.',
    params: CustomerPath,
    query: ExportQuery,
    response: CustomerExport,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    reveals: 'always',
    handle: ({ context, params, query }) => exportCustomer(context, params.id, query),
  }),
  endpoint({
    id: 'customers.erase',
    method: 'POST',
    path: '/customers/:id/erase',
    permission: 'customers:write',
    summary: 'Erase a person; orders, totals, stock and licenses stay.',
    description:
      'Removes the e-mail address, name, addresses, notes and other texts of the customer from every record, ' +
      'and deletes their mail, stock alerts and blocklist entries. A later order with the same e-mail address ' +
      'creates a new customer. It cannot be undone. Repeating the call changes nothing and answers the same.',
    params: CustomerPath,
    response: ErasedCustomer,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => eraseCustomer(context, params.id),
  }),
]
