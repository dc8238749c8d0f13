import { z } from 'zod'
import { EVENT_TYPES } from '../../../events/types.ts'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, InputTime } from '../../../kernel/shapes.ts'
import { EventTypeName } from '../schema.ts'

export const NewReplay = z
  .strictObject({
    since: InputTime.describe(
      'Events at or after this time are sent. It must be in the past 30 days.',
    ),
    types: list(EventTypeName, { max: EVENT_TYPES.length })
      .min(1, 'Name at least one event type, or omit the list.')
      .optional()
      .describe(
        'The event types, which the endpoint must be subscribed to. Default: all types of the endpoint.',
      ),
  })
  .meta({ id: 'ReplayInput' })
export type NewReplay = z.output<typeof NewReplay>

export const Replay = z.object({
  queued: z.int().describe('The number of deliveries that this call created, at most 1,000.'),
  next_since: DateTime.nullable().describe(
    'The `since` of the next call, which continues after these events; null if none remain.',
  ),
})
export type Replay = z.output<typeof Replay>
