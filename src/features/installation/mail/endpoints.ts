import { endpoint } from '../../../http/endpoint.ts'
import { listOutbox } from './list-outbox.ts'
import { Outbox, OutboxQuery } from './schema.ts'

export const outboxEndpoints = [
  endpoint({
    id: 'account.list_outbox',
    method: 'GET',
    path: '/account/outbox',
    permission: 'account:read',
    summary: 'List mail to customers, the newest first.',
    description:
      'The mail of a test side is kept and shown with its text. Mail is deleted after 30 days. `total` is exact up to 10,000; `has_more` is always right.',
    query: OutboxQuery,
    response: Outbox,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listOutbox(context, query),
  }),
]
