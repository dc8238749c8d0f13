import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { countWaiting } from './count-waiting.ts'
import { Counts } from './schema.ts'

/** What the dashboard shows beside its entries; the stream sends it whenever it changes (decision 138). */
export const countEndpoints = [
  endpoint({
    id: 'counts.get',
    method: 'GET',
    path: '/counts',
    permission: 'account:read',
    summary: 'Count what waits for somebody.',
    response: z.object({ counts: Counts }),
    errors: [],
    handle: async ({ context }) => ({ counts: await countWaiting(context) }),
  }),
]
