import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { DateTime, Pagination } from '../../kernel/shapes.ts'
import { explainEndpoint } from './remote-endpoints.ts'
import { rollSecret } from './roll-secret.ts'
import {
  DeliveryPath,
  HeaderSettings,
  ListedDelivery,
  ObjectDeliveryQuery,
  RollSecret,
  SentRequests,
  ShownSecret,
  Webhook,
  WebhookHealth,
  WebhookHours,
  WebhookPath,
} from './schema.ts'
import { setStandardHeaders } from './set-standard-headers.ts'
import { showHeaders } from './show-headers.ts'
import { showHealth } from './show-health.ts'
import { showHours } from './show-hours.ts'
import { showRequests } from './show-requests.ts'
import { showSecret } from './show-secret.ts'
import { listDeliveries } from './show-webhooks.ts'

/** Operations on webhook endpoints that only the dashboard has (decision 19). */
export const webhookDashboardEndpoints = [
  endpoint({
    id: 'webhooks.health',
    method: 'GET',
    path: '/webhook-health',
    permission: 'webhooks:read',
    summary:
      'List the endpoints, each with the time when it is turned off if its deliveries keep failing.',
    response: z.object({
      endpoints: z.array(WebhookHealth).describe('The endpoints, oldest first.'),
    }),
    errors: [],
    handle: async ({ context }) => ({ endpoints: await showHealth(context) }),
  }),
  endpoint({
    id: 'webhooks.hours',
    method: 'GET',
    path: '/webhook-hours',
    permission: 'webhooks:read',
    summary: 'Count the deliveries of the past 7 days by hour.',
    response: z.object({
      from: DateTime.describe('The start of the first hour.'),
      endpoints: z.array(WebhookHours).describe('The endpoints, oldest first.'),
    }),
    errors: [],
    handle: ({ context }) => showHours(context),
  }),
  endpoint({
    id: 'webhooks.get_headers',
    method: 'GET',
    path: '/webhooks/:id/headers',
    permission: 'webhooks:read',
    summary: 'Get the header settings of an endpoint.',
    params: WebhookPath,
    response: z.object({ headers: HeaderSettings }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ headers: await showHeaders(context, params.id) }),
  }),
  endpoint({
    id: 'webhooks.set_headers',
    method: 'PATCH',
    path: '/webhooks/:id/headers',
    permission: 'webhooks:write',
    summary: 'Add the headers of Standard Webhooks to the attempts of an endpoint, or remove them.',
    params: WebhookPath,
    body: HeaderSettings,
    example: { standard_headers: true },
    response: z.object({ headers: HeaderSettings }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'webhook.set_headers', object: 'webhook_endpoint' },
    handle: async ({ context, params, body: { standard_headers } }) => {
      await setStandardHeaders(context, params.id, standard_headers)
      return { headers: { standard_headers } }
    },
  }),
  endpoint({
    id: 'webhooks.show_secret',
    method: 'GET',
    path: '/webhooks/:id/secret-end',
    permission: 'webhooks:write',
    summary: 'Get the last four characters of the secrets that sign the deliveries of an endpoint.',
    params: WebhookPath,
    response: z.object({ secret: ShownSecret }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ secret: await showSecret(context, params.id) }),
  }),
  endpoint({
    id: 'webhooks.roll_secret',
    method: 'POST',
    path: '/webhooks/:id/roll-secret',
    permission: 'webhooks:write',
    summary: 'Replace the secret of an endpoint. Only this response contains the new secret.',
    params: WebhookPath,
    body: RollSecret,
    example: { mode: 'overlap' },
    response: z.object({
      webhook: Webhook,
      secret: z
        .string()
        .describe(
          'The new secret, which signs every delivery from now on. Only this response contains it.',
        ),
      old_secret_until: DateTime.nullable().describe(
        'The time until which the old secret signs too; null if it no longer signs.',
      ),
    }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
    audit: { action: 'webhook.roll_secret', object: 'webhook_endpoint' },
    handle: ({ context, params, body }) => rollSecret(context, params.id, body),
  }),
  endpoint({
    id: 'webhooks.object_deliveries',
    method: 'GET',
    path: '/object-deliveries',
    permission: 'webhooks:read',
    summary: 'List the webhook deliveries of the events of one record, newest first.',
    query: ObjectDeliveryQuery,
    response: z.object({
      deliveries: z.array(ListedDelivery).describe('A page of deliveries.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listDeliveries(context, query),
  }),
  endpoint({
    id: 'webhooks.delivery_requests',
    method: 'GET',
    path: '/events/deliveries/:id/requests',
    // A receiver accepts the signature of a recent attempt, so reading the log is not enough.
    permission: 'webhooks:write',
    summary: 'Show the requests of the attempts of a delivery, with their headers.',
    params: DeliveryPath,
    response: SentRequests,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => showRequests(context, params.id),
  }),
  { ...explainEndpoint, id: 'webhooks.explain_delivery' },
]
