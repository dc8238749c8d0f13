import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { Pagination } from '../../kernel/shapes.ts'
import { createWebhook } from './create-webhook.ts'
import {
  DeliveryQuery,
  EventTypeInfo,
  ListedWebhook,
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookPath,
  WebhookQuery,
} from './schema.ts'
import { getWebhook, listDeliveries, listEventTypes, listWebhooks } from './show-webhooks.ts'
import { updateWebhook } from './update-webhook.ts'
import { vetUrl } from './vet-url.ts'

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
    handle: ({ shop, query }) => listWebhooks(shop, query),
  }),
  endpoint({
    id: 'webhooks.create',
    method: 'POST',
    path: '/webhooks',
    permission: 'webhooks:write',
    summary: 'Create a webhook endpoint. Its secret is shown once.',
    description: 'A store has at most 20 endpoints.',
    body: NewWebhook,
    example: { url: 'https://seller.example.org/hooks', events: ['order.completed'] },
    status: 201,
    response: z.object({
      webhook: Webhook,
      secret: z.string().describe('Signs every delivery; keep it, it is not shown again.'),
    }),
    errors: ['VALIDATION_FAILED'],
    ask: ({ shop, body }) => vetUrl(body.url, shop.allowedHosts),
    handle: ({ shop, body }) => createWebhook(shop, body),
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
    handle: async ({ shop, params }) => ({ webhook: await getWebhook(shop, params.id) }),
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
    ask: ({ shop, body }) => vetUrl(body.url, shop.allowedHosts),
    handle: async ({ shop, params, body }) => ({
      webhook: await updateWebhook(shop, params.id, body),
    }),
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
      deliveries: z.array(WebhookDelivery).describe('A page of the log.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ shop, query }) => listDeliveries(shop, query),
  }),
]
