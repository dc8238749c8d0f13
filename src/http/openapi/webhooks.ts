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
    name: { type: 'string', description: 'The name that is shown to customers.' },
    slug: { type: 'string', description: 'The name of the store in URLs.' },
  },
}

/** The name of the schema of event types, which endpoints refer to as well. */
export const EVENT_TYPE = 'WebhookEventType'
export const eventTypeSchema = (types: readonly string[]) => ({
  type: 'string',
  enum: types,
  // Constants of Go are named after the value alone, and other types of the document have the same values.
  'x-enum-varnames': types.map((type) => `EVENT_${type.replaceAll('.', '_').toUpperCase()}`),
  description: 'The type of an event.',
})

export const EVENT_SCHEMA = {
  type: 'object',
  description:
    'The payload of a webhook delivery. Amounts are decimals in major units, unlike in the API.',
  required: ['id', 'object', 'type', 'created', 'livemode', 'store', 'data'],
  properties: {
    id: { type: 'string', pattern: '^evt_', description: 'The id of the event.' },
    object: { type: 'string', const: 'event', description: 'Always `event`.' },
    type: { $ref: `#/components/schemas/${EVENT_TYPE}` },
    created: {
      type: 'integer',
      format: 'int64',
      description: 'The time of the event, in Unix seconds.',
    },
    livemode: { type: 'boolean', description: 'False on the test side.' },
    store: STORE,
    data: {
      type: 'object',
      description: 'The record that the event is about.',
      required: ['object'],
      properties: { object: { type: 'object', description: 'The record.' } },
    },
  },
}

const EVENT_ID = 'evt_0000cB7rTqk2XWm91VzLdE'
const SIGNED_AT = 1767225600
/** The signature of the body `{}` with the secret `whsec_EXAMPLE`. */
const SIGNATURE = '2ec02d8f4d6da091286001f08acb84a4ebbd43ad07502c8d11744d02add6dd34'

/** Names the type in Python, without which openapi-generator writes no type for the parameters of events. */
const inPython = (type: 'str' | 'int' | 'Dict[str, Any]') => ({ 'x-py-typing': type })

const header = (name: string, description: string, schema: Json, example: unknown) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
  ...inPython(schema.type === 'integer' ? 'int' : 'str'),
})

const HEADERS = [
  header(
    'Service-Signature',
    'The signature of the body. `t` is the time of signing in Unix seconds. `v1` is the HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint, in hex. While the secret is being rolled there are two `v1`.',
    { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
    `t=${SIGNED_AT},v1=${SIGNATURE}`,
  ),
  header(
    'Service-Event-Id',
    'The id of the event. Use it to discard duplicates.',
    { type: 'string', pattern: '^evt_' },
    EVENT_ID,
  ),
  header('Service-Event-Type', 'The type of the event.', { type: 'string' }, 'order.created'),
  header(
    'Service-Delivery-Attempt',
    'The number of the attempt, from 1.',
    { type: 'integer', format: 'int64', minimum: 1 },
    1,
  ),
]

export const EVENT_PARAMETERS: Json = Object.fromEntries(HEADERS.map((item) => [item.name, item]))

/** Returns the webhooks of the document, one for each event type. */
export function webhooksOf(
  types: Record<string, string>,
  payloads: Partial<Record<string, EventPayload>>,
  registry: SchemaRegistry,
): Json {
  const webhooks = Object.entries(types).map(([type, summary]) => [
    type,
    { post: deliveryOf(type, summary, payloads[type], registry) },
  ])
  return Object.fromEntries(webhooks)
}

function deliveryOf(
  type: string,
  summary: string,
  payload: EventPayload | undefined,
  registry: SchemaRegistry,
): Json {
  return {
    tags: [EVENTS_TAG.name],
    operationId: `event.${type}`,
    summary,
    description:
      'Answer with any 2xx within 10 seconds. Any other answer is a failure; the service makes 7 attempts over about 21 hours. The same event may arrive more than once.',
    security: [],
    parameters: HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      ...inPython('Dict[str, Any]'),
      content: {
        'application/json': {
          schema: envelopeOf(type, payload, registry),
          ...(payload?.sample !== undefined && { example: sampleOf(type, payload.sample) }),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received.' },
      default: { description: 'Not received. The event is sent again later.' },
    },
  }
}

function envelopeOf(
  type: string,
  payload: EventPayload | undefined,
  registry: SchemaRegistry,
): Json {
  const object = payload ? registry.print(payload.schema, 'answer') : undefined
  const data = {
    type: 'object',
    description: 'The record that the event is about.',
    properties: { object },
  }
  const typeSchema = { type: 'string', const: type, description: `Always \`${type}\`.` }
  const properties = { type: typeSchema, ...(object && { data }) }
  return { allOf: [{ $ref: '#/components/schemas/Event' }, { type: 'object', properties }] }
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
