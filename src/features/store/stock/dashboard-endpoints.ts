import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { findKeys } from './find-keys.ts'
import { listImports } from './list-imports.ts'
import { ImportedStockKeys, ImportsQuery, KeyText, KeyWithProduct } from './schema.ts'

/** Operations on stock keys for the dashboard only. */
export const stockKeyEndpoints = [
  endpoint({
    id: 'stock.find_keys',
    method: 'GET',
    path: '/stock-keys',
    permission: 'stock:read',
    summary: 'Find a stock key in all variants by its complete text.',
    query: z.object({ value: KeyText.describe('The complete text of the key.') }),
    response: z.object({
      keys: z
        .array(KeyWithProduct)
        .describe('The key in each variant that has it, the newest first.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ keys: await findKeys(context, query.value) }),
  }),
  endpoint({
    id: 'stock.list_imports',
    method: 'GET',
    path: '/stock-imports',
    permission: 'stock:read',
    summary: 'List the newest batches of stock keys that were added to a variant.',
    query: ImportsQuery,
    response: z.object({
      imports: z
        .array(ImportedStockKeys)
        .describe('The newest 25 batches. Keys that were added without an import are one batch.'),
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ imports: await listImports(context, query) }),
  }),
]
