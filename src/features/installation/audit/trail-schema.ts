import { z } from 'zod'
import { CursorQuery } from '../../../kernel/client-shapes.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'

const ACTORS = ['api_key', 'user', 'command_line', 'customer', 'system'] as const

export const TrailEvent = z
  .object({
    id: z.int().describe('The id of the event.'),
    created_at: DateTime.describe("The time of the event, by the store's clock."),
    actor: z
      .object({
        type: z
          .enum(ACTORS)
          .describe('The kind of actor; `system` is the server itself, such as a job.'),
        id: z.string().nullable().describe('The id of the API key or the user.'),
        name: z
          .string()
          .nullable()
          .describe('The name that the API key or user had at that time, or the command.'),
      })
      .describe('The actor.'),
    address: z.string().nullable().describe('The IP address of the caller.'),
    request_id: z.string().nullable().describe('The `x-request-id` of the call.'),
    action: z.string().describe('The action, such as `order.refund` or `stock.list_keys`.'),
    object: z.string().describe('The kind of the record, such as `order`.'),
    object_id: z
      .string()
      .nullable()
      .describe('The id of the record; null for a change of many records.'),
    changes: z
      .record(
        z.string(),
        z.object({
          from: z
            .unknown()
            .optional()
            .describe(
              'The value before the change. Null for a new record; left out if it was not read.',
            ),
          to: z.unknown().describe('The value after the change.'),
        }),
      )
      .describe('Changed fields. Secrets and personal data are masked.'),
  })
  .meta({ id: 'AccountAuditEvent', description: 'A change, or a reveal of secrets.' })
export type TrailEvent = z.output<typeof TrailEvent>

export const TrailQuery = z.object({
  ...CursorQuery,
  actor_id: Line(64).optional().describe('Only events of this API key or user.'),
  action: Line(64).optional().describe('Only events with this action, such as `order.refund`.'),
  object_id: Line(64).optional().describe('Only events of the record with this id.'),
})
export type TrailQuery = z.output<typeof TrailQuery>
