import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { listStoreSessions } from './list-store-sessions.ts'
import { ListedSession, SessionCursor, SessionQuery } from './schema.ts'

/** Operations on client sessions that only the dashboard has. */
export const clientSessionEndpoints = [
  endpoint({
    id: 'client_sessions.list',
    method: 'GET',
    path: '/client-sessions',
    permission: 'client_security:read',
    summary: 'List the client sessions of the store, latest lease first.',
    query: SessionQuery,
    response: z.object({
      sessions: z.array(ListedSession).describe('A page of sessions.'),
      next_cursor: SessionCursor.nullable().describe('The next page; null at the end.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listStoreSessions(context, query),
  }),
]
