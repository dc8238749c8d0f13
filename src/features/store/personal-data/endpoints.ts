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
    summary: 'Merge a customer into another one and delete the merged customer.',
    description:
      'Orders, balance, balance entries, totals, coupon uses and a block move to the customer `into`. The customer `into` keeps its name, country and metadata, and empty fields are filled from the merged customer. Tags and notes are joined. The merged customer is deleted. Moved orders keep their email address, and a later order with that address creates a new customer. A merge cannot be undone.',
    params: CustomerPath,
    body: CustomerMerge,
    example: { into: 42 },
    response: z.object({ customer: Customer }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'customer.merge', object: 'customer' },
    handle: async ({ context, params, body }) => ({
      customer: await mergeCustomers(context, params.id, body.into),
    }),
  }),
  endpoint({
    id: 'customers.export',
    method: 'GET',
    path: '/customers/:id/export',
    permission: 'customers:write',
    summary: 'Export all data that the store has about a customer.',
    description:
      'The export contains delivered keys and texts. It therefore needs `customers:write` and is audited. One `offset` pages both orders and balance entries; repeat the call with a higher `offset` while `page.has_more` is true.',
    params: CustomerPath,
    query: ExportQuery,
    response: CustomerExport,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'customer.export', object: 'customer' },
    reveals: 'always',
    handle: ({ context, params, query }) => exportCustomer(context, params.id, query),
  }),
  endpoint({
    id: 'customers.erase',
    method: 'POST',
    path: '/customers/:id/erase',
    permission: 'customers:write',
    summary:
      'Erase the personal data of a customer. Orders, totals, stock and licenses are not deleted.',
    description:
      'Removes the email address, name, addresses, notes and other texts of the customer from every record, ' +
      'deletes their mail, stock alerts and blocklist entries, and cancels their subscriptions with unpaid renewals. ' +
      'A later order with the same email address creates a new customer. The erasure cannot be undone. A repeated call changes nothing and has the same `erased_at`.',
    params: CustomerPath,
    response: ErasedCustomer,
    errors: ['NOT_FOUND'],
    audit: { action: 'customer.erase', object: 'customer' },
    handle: ({ context, params }) => eraseCustomer(context, params.id),
  }),
]
