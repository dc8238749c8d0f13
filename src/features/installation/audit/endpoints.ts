import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { NextCursor } from '../../../kernel/client-shapes.ts'
import { listChanges } from './list-changes.ts'
import { AuditEvent, AuditQuery } from './schema.ts'

export const auditEndpoints = [
  endpoint({
    id: 'audit_events.list',
    method: 'GET',
    path: '/audit-events',
    permission: 'client_security:read',
    summary: 'List changes with their actors, newest first.',
    query: AuditQuery,
    response: z.object({
      audit_events: z.array(AuditEvent).describe('A page of changes.'),
      next_cursor: NextCursor,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listChanges(context, query),
  }),
]
