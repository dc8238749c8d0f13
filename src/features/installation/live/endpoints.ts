import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { DateTime } from '../../../kernel/shapes.ts'
import { countWaiting } from './count-waiting.ts'
import { Counts } from './schema.ts'

/**
 * The counts next to the entries of the dashboard; the stream sends them when they change (decision
 * 138).
 */
export const countEndpoints = [
  endpoint({
    id: 'counts.get',
    method: 'GET',
    path: '/counts',
    permission: 'account:read',
    summary: 'Count the records that wait for a person.',
    response: z.object({
      counts: Counts,
      store_time: DateTime.describe("The store's clock; that of a test side can be moved."),
    }),
    errors: [],
    handle: async ({ context }) => ({
      counts: await countWaiting(context),
      store_time: context.now,
    }),
  }),
]
