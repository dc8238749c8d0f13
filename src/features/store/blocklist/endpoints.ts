import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination } from '../../../kernel/shapes.ts'
import { Customer, CustomerPath } from '../customers/index.ts'
import { blockCustomer, unblockCustomer } from './block-customer.ts'
import { createEntry, deleteEntry, updateEntry } from './change-entries.ts'
import {
  BlocklistEntry,
  BlocklistEntryPatch,
  BlocklistPath,
  BlocklistQuery,
  CustomerBlock,
  CustomerUnblock,
  NewBlocklistEntry,
} from './schema.ts'
import { getEntry, listEntries } from './show-entries.ts'

const OneEntry = z.object({ blocklist_entry: BlocklistEntry })
const OneCustomer = z.object({ customer: Customer })

export const blocklistEndpoints = [
  endpoint({
    id: 'customers.block',
    method: 'POST',
    path: '/customers/:id/block',
    permission: 'blocklist:write',
    summary: 'Block a customer from placing orders.',
    description:
      'Adds the email address to the blocklist and, with `block_ips`, the IP addresses of the latest 1,000 orders. Existing orders are not changed.',
    params: CustomerPath,
    body: CustomerBlock,
    example: { note: 'Chargebacks.', block_ips: true },
    response: OneCustomer,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'customer.block', object: 'customer' },
    handle: async ({ context, params, body }) => ({
      customer: await blockCustomer(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'customers.unblock',
    method: 'POST',
    path: '/customers/:id/unblock',
    permission: 'blocklist:write',
    summary: 'Allow a blocked customer to place orders again.',
    description:
      'Removes the email address from the blocklist. The IP addresses that the block added are removed too, unless `block_ips` is true. Entries for a domain or a range are not removed and may still match.',
    params: CustomerPath,
    body: CustomerUnblock,
    example: { note: 'Cleared up by phone.' },
    response: OneCustomer,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'customer.unblock', object: 'customer' },
    handle: async ({ context, params, body }) => ({
      customer: await unblockCustomer(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'blocklist.list',
    method: 'GET',
    path: '/blocklist',
    permission: 'blocklist:read',
    summary: 'List blocklist entries, the newest first.',
    description: '`total` is exact up to 10,000; `has_more` is always exact.',
    query: BlocklistQuery,
    response: z.object({
      blocklist_entries: z.array(BlocklistEntry).describe('A page of entries.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listEntries(context, query),
  }),
  endpoint({
    id: 'blocklist.create',
    method: 'POST',
    path: '/blocklist',
    permission: 'blocklist:write',
    summary: 'Add an email or IP address to the blocklist.',
    description:
      'An order of a matching customer, or from a matching address, is refused with `CUSTOMER_BLOCKED`. Existing orders are not changed.',
    body: NewBlocklistEntry,
    example: { type: 'email', value: '*@throwaway.example', reason: 'Fake accounts.' },
    status: 201,
    response: OneEntry,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'blocklist.create', object: 'blocklist_entry' },
    handle: async ({ context, body }) => ({ blocklist_entry: await createEntry(context, body) }),
  }),
  endpoint({
    id: 'blocklist.get',
    method: 'GET',
    path: '/blocklist/:id',
    permission: 'blocklist:read',
    summary: 'Get a blocklist entry.',
    params: BlocklistPath,
    response: OneEntry,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      blocklist_entry: await getEntry(context, params.id),
    }),
  }),
  endpoint({
    id: 'blocklist.update',
    method: 'PATCH',
    path: '/blocklist/:id',
    permission: 'blocklist:write',
    summary: 'Update a blocklist entry. Absent fields keep their values; null clears a field.',
    params: BlocklistPath,
    body: BlocklistEntryPatch,
    example: { reason: 'Chargebacks.' },
    response: OneEntry,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'blocklist.update', object: 'blocklist_entry' },
    handle: async ({ context, params, body }) => ({
      blocklist_entry: await updateEntry(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'blocklist.delete',
    method: 'DELETE',
    path: '/blocklist/:id',
    permission: 'blocklist:write',
    summary: 'Remove an entry from the blocklist.',
    params: BlocklistPath,
    response: z.object({
      ...Deleted,
      id: z.int().describe('The id of the deleted blocklist entry.'),
    }),
    errors: ['NOT_FOUND'],
    audit: { action: 'blocklist.delete', object: 'blocklist_entry' },
    handle: ({ context, params }) => deleteEntry(context, params.id),
  }),
]
