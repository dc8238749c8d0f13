import { z } from 'zod'
import { endpoint, mayReadSecrets } from '../../http/endpoint.ts'
import { Deleted, Pagination } from '../../kernel/shapes.ts'
import { checkUrl } from '../../network/check-url.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { resendDelivery, testWebhook } from './manual-attempts.ts'
import { remoteEndpoints } from './remote-endpoints.ts'
import { replayEvents } from './replay/replay-events.ts'
import { NewReplay, Replay } from './replay/schema.ts'
import {
  DeliveryPath,
  DeliveryQuery,
  EventTypeInfo,
  ListedDelivery,
  ListedWebhook,
  NewTest,
  NewWebhook,
  SendResult,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookPath,
  WebhookQuery,
} from './schema.ts'
import { getDelivery, showManualResult } from './show-delivery.ts'
import { getWebhook, listDeliveries, listEventTypes, listWebhooks } from './show-webhooks.ts'
import { updateWebhook } from './update-webhook.ts'

export const webhookEndpoints = [
  endpoint({
    id: 'webhooks.list',
    method: 'GET',
    path: '/webhooks',
    permission: 'webhooks:read',
    summary: 'List webhook endpoints with their statistics of the past 7 days.',
    query: WebhookQuery,
    response: z.object({
      webhooks: z.array(ListedWebhook).describe('A page of endpoints.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listWebhooks(context, query),
  }),
  endpoint({
    id: 'webhooks.create',
    method: 'POST',
    path: '/webhooks',
    permission: 'webhooks:write',
    summary: 'Create a webhook endpoint. Only this response contains its secret.',
    description: 'A store has at most 20 endpoints.',
    body: NewWebhook,
    example: { url: 'https://seller.example.org/hooks', events: ['order.completed'] },
    status: 201,
    response: z.object({
      webhook: Webhook,
      secret: z
        .string()
        .describe(
          'The secret that signs every delivery. Store it, because no other response contains it.',
        ),
    }),
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'webhook.create', object: 'webhook_endpoint' },
    prepare: ({ context, body }) => checkUrl(body.url, context.allowedHosts),
    handle: ({ context, body }) => createWebhook(context, body),
  }),
  endpoint({
    id: 'webhooks.get',
    method: 'GET',
    path: '/webhooks/:id',
    permission: 'webhooks:read',
    summary: 'Get a webhook endpoint.',
    params: WebhookPath,
    response: z.object({ webhook: Webhook }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ webhook: await getWebhook(context, params.id) }),
  }),
  endpoint({
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/webhooks/:id',
    permission: 'webhooks:write',
    summary: 'Change the address or the events of an endpoint, or turn it on or off.',
    params: WebhookPath,
    body: WebhookPatch,
    example: { enabled: true },
    response: z.object({ webhook: Webhook }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'webhook.update', object: 'webhook_endpoint' },
    prepare: ({ context, body }) => checkUrl(body.url, context.allowedHosts),
    handle: async ({ context, params, body }) => ({
      webhook: await updateWebhook(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'webhooks.delete',
    method: 'DELETE',
    path: '/webhooks/:id',
    permission: 'webhooks:write',
    summary: 'Delete a webhook endpoint. Its pending deliveries are cancelled.',
    params: WebhookPath,
    response: z.object({ ...Deleted, id: z.string().describe('The id of the deleted endpoint.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'webhook.delete', object: 'webhook_endpoint' },
    handle: ({ context, params }) => deleteWebhook(context, params.id),
  }),
  endpoint({
    id: 'webhooks.test',
    method: 'POST',
    path: '/webhooks/:id/test',
    permission: 'webhooks:write',
    audit: 'itself',
    summary: 'Send a sample event to an endpoint and wait for the response.',
    params: WebhookPath,
    body: NewTest,
    example: { type: 'order.completed' },
    response: z.object({ result: SendResult, delivery: WebhookDelivery }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    prepare: ({ context, params, body }) => testWebhook(context, params.id, body.type),
    handle: ({ context, caller, prepared }) =>
      showManualResult(context, prepared, { maySeeOrders: mayReadSecrets(caller, 'orders') }),
  }),
  endpoint({
    id: 'webhooks.replay',
    method: 'POST',
    path: '/webhooks/:id/replay',
    permission: 'webhooks:write',
    summary: 'Send the events that an endpoint missed while it was off or did not exist.',
    description:
      'Creates a delivery of each event that the endpoint has none of, oldest first. They are sent in the background, with the id and the time of the event. A call creates at most 1,000 deliveries and looks at some 5,000 events: repeat it with `next_since` until that is null. A repeated call creates no second delivery.',
    params: WebhookPath,
    body: NewReplay,
    example: { since: '2026-11-01T00:00:00.000Z', types: ['order.completed'] },
    response: Replay,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'webhook.replay', object: 'webhook_endpoint' },
    handle: ({ context, params, body }) => replayEvents(context, params.id, body),
  }),
  endpoint({
    id: 'events.types',
    method: 'GET',
    path: '/events/types',
    permission: 'webhooks:read',
    summary: 'List the event types.',
    response: z.object({ types: z.array(EventTypeInfo).describe('All event types.') }),
    errors: [],
    handle: async () => listEventTypes(),
  }),
  endpoint({
    id: 'events.deliveries',
    method: 'GET',
    path: '/events/deliveries',
    permission: 'webhooks:read',
    summary: 'List webhook deliveries, newest first.',
    query: DeliveryQuery,
    response: z.object({
      deliveries: z.array(ListedDelivery).describe('A page of deliveries.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listDeliveries(context, query),
  }),
  endpoint({
    id: 'events.get_delivery',
    method: 'GET',
    path: '/events/deliveries/:id',
    permission: 'webhooks:read',
    summary: 'Get a webhook delivery with its payload and all its attempts.',
    params: DeliveryPath,
    response: z.object({ delivery: WebhookDelivery }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, caller, params }) => ({
      delivery: await getDelivery(context, params.id, {
        maySeeOrders: mayReadSecrets(caller, 'orders'),
      }),
    }),
  }),
  endpoint({
    id: 'events.resend',
    method: 'POST',
    path: '/events/deliveries/:id/resend',
    permission: 'webhooks:write',
    audit: 'itself',
    summary: 'Resend a delivery now and wait for the response.',
    description:
      'A success ends the schedule of the delivery. A failure does not change the schedule.',
    params: DeliveryPath,
    response: z.object({ result: SendResult, delivery: WebhookDelivery }),
    errors: ['NOT_FOUND', 'ENDPOINT_DELETED', 'DELIVERY_IN_PROGRESS'],
    prepare: ({ context, params }) => resendDelivery(context, params.id),
    handle: ({ context, caller, prepared }) =>
      showManualResult(context, prepared, { maySeeOrders: mayReadSecrets(caller, 'orders') }),
  }),
  ...remoteEndpoints,
]
