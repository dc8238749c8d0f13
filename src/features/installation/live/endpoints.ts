import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { DateTime } from '../../../kernel/shapes.ts'
import { countTasks } from './count-tasks.ts'
import { Counts } from './schema.ts'

/** The counts in the navigation of the dashboard. The stream sends them when they change (decision 138). */
export const countEndpoints = [
  endpoint({
    id: 'counts.get',
    method: 'GET',
    path: '/counts',
    permission: 'account:read',
    summary: 'Count the records that need action by the team.',
    response: z.object({
      counts: Counts,
      store_time: DateTime.describe(
        "The time of the store's clock. The clock of a test side can be moved.",
      ),
    }),
    errors: [],
    handle: async ({ context }) => ({
      counts: await countTasks(context),
      store_time: context.now,
    }),
  }),
]
