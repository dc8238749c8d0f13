import { z } from 'zod'
import { CursorQuery } from '../../../kernel/client-shapes.ts'
import { DateTime, Line, PathId, QueryTime } from '../../../kernel/shapes.ts'

export const AuditEvent = z
  .object({
    id: z.int().describe('The id of the event.'),
    object: z.literal('audit_event').describe('Always `audit_event`.'),
    action: z.string().describe('The action, such as `license_key.ban`.'),
    record_type: z.string().describe('The `object` of the record.'),
    record_id: z.int().describe('The record.'),
    actor_key_id: z.int().nullable().describe('The API key; null where a rule of ours acted.'),
    ip: z.string().nullable().describe('The address it called from.'),
    before_hash: z.string().nullable().describe('A keyed hash of the record before.'),
    after_hash: z.string().nullable().describe('A keyed hash of the record after.'),
    created_at: DateTime.describe('When.'),
  })
  .meta({ id: 'AuditEvent', description: 'A change of a record.' })
export type AuditEvent = z.output<typeof AuditEvent>

export const AuditQuery = z.object({
  ...CursorQuery,
  record_type: Line(64).optional().describe('Only of this kind of record.'),
  record_id: PathId.optional().describe('Only of this record.'),
  action: Line(64).optional().describe('Only this action.'),
  created_from: QueryTime.optional().describe('From then on.'),
  created_to: QueryTime.optional().describe('Before then.'),
})
export type AuditQuery = z.output<typeof AuditQuery>
