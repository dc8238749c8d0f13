import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { requireRecord } from '../../kernel/errors.ts'
import { Deleted } from '../../kernel/shapes.ts'
import { explainDelivery } from './explain-delivery.ts'
import { closeRemotely } from './listen/close-listener.ts'
import { openListener } from './listen/open-listener.ts'
import { pollRemotely } from './listen/poll-deliveries.ts'
import {
  Explanation,
  Listener,
  NewListener,
  NewTrigger,
  Poll,
  PolledDelivery,
  ReceivedRequest,
} from './listen/remote-schema.ts'
import { DeliveryPath, WebhookPath } from './schema.ts'
import { triggerEvent } from './trigger-event.ts'

/** The signature of the body `{}` with the secret `whsec_EXAMPLE`. */
const EXAMPLE_HEADER =
  't=1700000000,v1=77beecb829e124cf1fd3152fc1608984b14bb1fd12a4bde6a19c6c3978969334'

export const explainEndpoint = endpoint({
  id: 'events.explain_delivery',
  method: 'POST',
  path: '/events/deliveries/:id/explain',
  // The response contains a signature of the body, so the permission to read the log is not enough.
  permission: 'webhooks:write',
  audit: 'nothing',
  summary: 'Explain the signature of a delivery, and why the data of a receiver does not match it.',
  params: DeliveryPath,
  body: ReceivedRequest,
  example: { header: EXAMPLE_HEADER, clock: 1_700_000_000 },
  response: Explanation,
  errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  handle: ({ context, params, body: { clock, ...received } }) =>
    explainDelivery(context, params.id, { ...received, clock_s: clock }),
})

/** The calls of the command line on another machine (decision 486). */
export const remoteEndpoints = [
  endpoint({
    id: 'webhooks.open_listener',
    method: 'POST',
    path: '/webhook-listeners',
    permission: 'webhooks:write',
    audit: 'itself',
    summary: 'Open a listener, which fetches its deliveries instead of getting requests.',
    description:
      'A listener is what `tradepost webhooks listen` uses. It gets every event that is recorded from now on. It is removed a minute after its last poll, is not in the list of endpoints, and does not count towards their limit. A store has at most 8 listeners.',
    body: NewListener,
    example: { forward: 'http://localhost:3000/hook', events: ['*'] },
    status: 201,
    response: z.object({ listener: Listener }),
    errors: ['VALIDATION_FAILED'],
    async handle({ context, body }) {
      const { endpoint: id, secret } = await openListener(context, body)
      return { listener: { id, secret } }
    },
  }),
  endpoint({
    id: 'webhooks.poll_listener',
    method: 'POST',
    path: '/webhook-listeners/:id/poll',
    permission: 'webhooks:write',
    // Like the attempts of the server, the results are in the log of deliveries.
    audit: 'nothing',
    summary: 'Report the results of deliveries to a listener, and fetch its next deliveries.',
    description:
      'Waits up to `wait_s` seconds for a delivery. A delivery is answered again until its result was reported.',
    params: WebhookPath,
    body: Poll,
    example: { relayed: [], wait_s: 5 },
    response: z.object({
      deliveries: z.array(PolledDelivery).describe('Up to 10 deliveries, oldest first.'),
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    prepare: ({ context, params, body }, _app, signal) =>
      pollRemotely(context, { endpoint: params.id, ...body }, signal),
    handle: async ({ prepared }) => ({
      deliveries: requireRecord(prepared.deliveries, 'Listener'),
    }),
  }),
  endpoint({
    id: 'webhooks.close_listener',
    method: 'DELETE',
    path: '/webhook-listeners/:id',
    permission: 'webhooks:write',
    audit: 'itself',
    summary: 'Close a listener. Its pending deliveries are cancelled.',
    params: WebhookPath,
    response: z.object({ ...Deleted, id: z.string().describe('The id of the closed listener.') }),
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => closeRemotely(context, params.id),
  }),
  endpoint({
    id: 'events.trigger',
    method: 'POST',
    path: '/events/trigger',
    permission: 'webhooks:write',
    audit: 'itself',
    summary: 'Send a sample event to every endpoint that is subscribed to its type.',
    body: NewTrigger,
    example: { type: 'order.completed' },
    response: z.object({
      event: z.string().describe('The id of the event.'),
      deliveries: z.int().describe('The number of endpoints to which the event is sent.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, body }) => triggerEvent(context, body.type),
  }),
  explainEndpoint,
]
