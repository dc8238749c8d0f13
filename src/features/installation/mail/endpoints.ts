import { endpoint, mayReadSecrets } from '../../../http/endpoint.ts'
import { listOutbox } from './list-outbox.ts'
import { Outbox, OutboxQuery } from './schema.ts'

export const outboxEndpoints = [
  endpoint({
    id: 'account.list_outbox',
    method: 'GET',
    path: '/account/outbox',
    permission: 'account:read',
    summary: 'List the mail of the store, newest first.',
    description:
      'A test side sends no mail, but lists it with its text for callers who may also read orders. Mail is deleted after 30 days. `total` is exact up to 10,000. `has_more` is always exact.',
    query: OutboxQuery,
    response: Outbox,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, caller, query }) =>
      listOutbox(context, query, { maySeeOrders: mayReadSecrets(caller, 'orders') }),
  }),
]
