import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { matchEntries } from './match-entries.ts'
import { BlocklistEntry, BlocklistMatchQuery } from './schema.ts'

/** The operations on the blocklist that only the dashboard can call. */
export const blocklistMatchEndpoints = [
  endpoint({
    id: 'blocklist.match',
    method: 'GET',
    path: '/blocklist-matches',
    permission: 'blocklist:read',
    summary: 'List the entries that would refuse an order of this buyer. No hit is counted.',
    query: BlocklistMatchQuery,
    response: z.object({
      blocklist_entries: z
        .array(BlocklistEntry)
        .describe('The entries that match, the oldest first, at most 100.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({
      blocklist_entries: await matchEntries(context, query),
    }),
  }),
]
