import { z } from 'zod'
import { CursorQuery } from '../../../kernel/client-shapes.ts'
import { DateTime, InputTime, Line, PathId } from '../../../kernel/shapes.ts'

export const AuditEvent = z
  .object({
    id: z.int().describe('The id of the event.'),
    object: z.literal('audit_event').describe('Always `audit_event`.'),
    action: z.string().describe('The action, such as `license_key.ban`.'),
    record_type: z.string().describe('The kind of the record: its `object` field.'),
    record_id: z.int().describe('The id of the record.'),
    actor_key_id: z.int().nullable().describe('The API key; null if no API key made the change.'),
    ip: z.string().nullable().describe('The IP address of the caller.'),
    before_hash: z.string().nullable().describe('A keyed hash of the record before the change.'),
    after_hash: z.string().nullable().describe('A keyed hash of the record after the change.'),
    created_at: DateTime.describe('The time of the change.'),
  })
  .meta({ id: 'AuditEvent', description: 'A change of a record.' })
export type AuditEvent = z.output<typeof AuditEvent>

export const AuditQuery = z.object({
  ...CursorQuery,
  record_type: Line(64).optional().describe('Only changes of this kind of record.'),
  record_id: PathId.optional().describe('Only changes of the record with this id.'),
  action: Line(64).optional().describe('Only changes with this action.'),
  created_from: InputTime.optional().describe('Only changes at or after this time.'),
  created_to: InputTime.optional().describe('Only changes before this time.'),
})
export type AuditQuery = z.output<typeof AuditQuery>
