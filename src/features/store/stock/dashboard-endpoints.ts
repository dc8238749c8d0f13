import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { findKeys } from './find-keys.ts'
import { FoundKey, KeyText } from './schema.ts'

/** Operations on stock keys that only the dashboard has (decision 328). */
export const stockKeyEndpoints = [
  endpoint({
    id: 'stock.find_keys',
    method: 'GET',
    path: '/stock-keys',
    permission: 'stock:read',
    summary: 'Find a stock key in all variants by its whole text.',
    query: z.object({ value: KeyText.describe('The whole key.') }),
    response: z.object({
      keys: z.array(FoundKey).describe('The key in each variant that has it, the newest first.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ keys: await findKeys(context, query.value) }),
  }),
]
