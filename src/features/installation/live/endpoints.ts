import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { countWaiting } from './count-waiting.ts'
import { Counts } from './schema.ts'

/** The counts beside the entries of the dashboard; the stream sends them when they change (decision 138). */
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
