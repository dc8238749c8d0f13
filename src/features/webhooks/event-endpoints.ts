import { z } from 'zod'
import { endpoint, mayReadSecrets } from '../../http/endpoint.ts'
import {
  EventPath,
  EventQuery,
  NewSend,
  SendResult,
  StoreEvent,
  StoreEventInFull,
  WebhookDelivery,
} from './schema.ts'
import { sendEvent } from './send-event.ts'
import { showManualResult } from './show-delivery.ts'
import { getEvent, listEvents } from './show-events.ts'

/** The events of a store, in the dashboard only. */
export const storeEventEndpoints = [
  endpoint({
    id: 'webhooks.list_events',
    method: 'GET',
    path: '/events',
    permission: 'webhooks:read',
    summary: 'List the events of the store, the newest first.',
    description: 'Events are stored for 30 days, even if no endpoint receives them.',
    query: EventQuery,
    response: z.object({
      events: z.array(StoreEvent).describe('A page of events.'),
      next_cursor: z
        .string()
        .nullable()
        .describe('The `cursor` of the next page; null on the last page.'),
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, query }) => listEvents(context, query),
  }),
  endpoint({
    id: 'webhooks.get_event',
    method: 'GET',
    path: '/events/:id',
    permission: 'webhooks:read',
    summary: 'Get an event with its payload.',
    params: EventPath,
    response: z.object({ event: StoreEventInFull }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, caller, params }) => ({
      event: await getEvent(context, params.id, { maySeeOrders: mayReadSecrets(caller, 'orders') }),
    }),
  }),
  endpoint({
    id: 'webhooks.send_event',
    method: 'POST',
    path: '/events/:id/send',
    permission: 'webhooks:write',
    audit: 'itself',
    summary: 'Send an event to one endpoint now and wait for the response.',
    description:
      'The endpoint need not be subscribed to the event type and may be off. If the event was sent to the endpoint before, that delivery is sent again.',
    params: EventPath,
    body: NewSend,
    example: { webhook_id: 'we_0353sERs6JN03msU4HDaJ0' },
    response: z.object({ result: SendResult, delivery: WebhookDelivery }),
    errors: ['NOT_FOUND', 'DELIVERY_IN_PROGRESS', 'INVALID_STATE', 'VALIDATION_FAILED'],
    prepare: ({ context, params, body }) =>
      sendEvent(context, { event: params.id, webhook_id: body.webhook_id }),
    handle: ({ context, caller, prepared }) =>
      showManualResult(context, prepared, { maySeeOrders: mayReadSecrets(caller, 'orders') }),
  }),
]
