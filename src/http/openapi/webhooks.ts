import type { z } from 'zod'
import type { Json, SchemaRegistry } from './schemas.ts'
import { EVENTS_TAG } from './tags.ts'

/** The shape of `data.object` in an event. */
export interface EventPayload {
  schema: z.ZodType
  sample?: unknown
}

const STORE = {
  type: 'object',
  description: 'The store of the event.',
  required: ['id', 'name', 'slug'],
  properties: {
    id: { type: 'string', description: 'The store hash, as in `x-store-hash`.' },
    name: { type: 'string', description: 'The name that customers see.' },
    slug: { type: 'string', description: 'The name of the store in URLs.' },
  },
}

export const eventSchema = (types: readonly string[]) => ({
  type: 'object',
  description:
    'The payload of a webhook delivery. Amounts are decimals in major units, unlike in the API.',
  required: ['id', 'object', 'type', 'created', 'livemode', 'store', 'data'],
  properties: {
    id: { type: 'string', pattern: '^evt_', description: 'The id of the event.' },
    object: { type: 'string', const: 'event', description: 'Always `event`.' },
    type: { type: 'string', enum: types, description: 'The type of the event.' },
    created: { type: 'integer', description: 'The time of the event, in Unix seconds.' },
    livemode: { type: 'boolean', description: 'False on the test side.' },
    store: STORE,
    data: {
      type: 'object',
      description: 'The record that the event is about.',
      required: ['object'],
      properties: { object: { type: 'object', description: 'The record.' } },
    },
  },
})

const EVENT_ID = 'evt_0000cB7rTqk2XWm91VzLdE'
const SIGNED_AT = 1767225600

const header = (name: string, description: string, schema: Json, example: unknown) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
})

const HEADERS = [
  header(
    'Service-Signature',
    '`t`: the time of signing. `v1`: the HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint, as hex. During a planned change of the secret there are two `v1`.',
    { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
    `t=${SIGNED_AT},v1=${'5257a869e7ecebed'.repeat(4)}`,
  ),
  header(
    'Service-Event-Id',
    'The id of the event; use it to discard duplicates.',
    { type: 'string', pattern: '^evt_' },
    EVENT_ID,
  ),
  header('Service-Event-Type', 'The type of the event.', { type: 'string' }, 'order.created'),
  header(
    'Service-Delivery-Attempt',
    'The number of the attempt, from 1.',
    { type: 'integer', minimum: 1 },
    1,
  ),
]

export const EVENT_PARAMETERS: Json = Object.fromEntries(HEADERS.map((item) => [item.name, item]))

/** The webhooks of the document: one entry for each event type. */
export function webhooksOf(
  types: Record<string, string>,
  payloads: Partial<Record<string, EventPayload>>,
  book: SchemaRegistry,
): Json {
  const webhooks = Object.entries(types).map(([type, when]) => [
    type,
    { post: deliveryOf(type, when, payloads[type], book) },
  ])
  return Object.fromEntries(webhooks)
}

function deliveryOf(
  type: string,
  when: string,
  payload: EventPayload | undefined,
  book: SchemaRegistry,
): Json {
  return {
    tags: [EVENTS_TAG.name],
    operationId: `event.${type}`,
    summary: when,
    description:
      'Answer with any 2xx within 10 seconds. Any other answer is a failure; the service makes 7 attempts over about 21 hours. The same event may arrive more than once.',
    security: [],
    parameters: HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: envelopeOf(type, payload, book),
          ...(payload?.sample !== undefined && { example: sampleOf(type, payload.sample) }),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received.' },
      default: { description: 'Not received; the event is sent again later.' },
    },
  }
}

function envelopeOf(type: string, payload: EventPayload | undefined, book: SchemaRegistry): Json {
  const object = payload ? book.print(payload.schema, 'answer') : undefined
  const data = {
    type: 'object',
    description: 'The record that the event is about.',
    properties: { object },
  }
  const kind = { type: 'string', const: type, description: `Always \`${type}\`.` }
  const own = { type: kind, ...(object && { data }) }
  return { allOf: [{ $ref: '#/components/schemas/Event' }, { type: 'object', properties: own }] }
}

const sampleOf = (type: string, object: unknown): Json => ({
  id: EVENT_ID,
  object: 'event',
  type,
  created: SIGNED_AT,
  livemode: true,
  store: { id: 'aB3dE5gH7jK9', name: 'Pixel Harbour', slug: 'pixel-harbour' },
  data: { object },
})
