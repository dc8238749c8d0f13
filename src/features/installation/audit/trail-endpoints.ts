import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { NextCursor } from '../../../kernel/client-shapes.ts'
import { listTrail } from './list-trail.ts'
import { TrailEvent, TrailQuery } from './trail-schema.ts'

export const trailEndpoints = [
  endpoint({
    id: 'account.list_audit_events',
    method: 'GET',
    path: '/account/audit-events',
    permission: 'account:read',
    summary: 'List changes and reveals with their actors, newest first.',
    description:
      'Lists every change through the Store API, the Client Security API and the command line, and every reveal or export of secrets. Events are kept for 400 days.',
    query: TrailQuery,
    response: z.object({
      audit_events: z.array(TrailEvent).describe('A page of audit events.'),
      next_cursor: NextCursor,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listTrail(context, query),
  }),
]
