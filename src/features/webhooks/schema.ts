import { z } from 'zod'
import { EVENT_TYPES } from '../../events/types.ts'
import { list } from '../../kernel/bounded.ts'
import { withRule } from '../../kernel/broken-rule.ts'
import {
  DateTime,
  HTTP_ADDRESS,
  ListQuery,
  OneOrMoreOf,
  PageQuery,
  PathId,
  QueryBoolean,
  Text,
} from '../../kernel/shapes.ts'

export const URL_LENGTH_MAX = 2_048
export const ENDPOINTS_MAX = 20

const EVENT_TYPE = 'WebhookEventType'
export const EventTypeName = z
  .enum(EVENT_TYPES)
  .meta({ id: EVENT_TYPE, description: 'The type of an event.' })

const WebhookFields = {
  url: z
    .string()
    .max(URL_LENGTH_MAX, `Write at most ${URL_LENGTH_MAX} characters.`)
    .meta({ pattern: HTTP_ADDRESS.source })
    .describe('The URL that receives events. It must use https and a public address.'),
  description: Text(500).nullable().describe('A note on the purpose of the endpoint.'),
  events: list(
    z.enum([...EVENT_TYPES, '*']).meta({
      id: 'SubscribedEvent',
      description: 'An event type, or `*` for all types.',
      openapi: { anyOf: [{ $ref: `#/$defs/${EVENT_TYPE}` }, { type: 'string', const: '*' }] },
    }),
    { max: EVENT_TYPES.length },
  )
    .min(1, 'Name at least one event type, or "*" for all.')
    .refine(
      (types) => new Set(types).size === types.length,
      withRule('Name each event type once.', { rule: 'unique' }),
    )
    .meta({ uniqueItems: true })
    .refine((types) => types.length === 1 || !types.includes('*'), 'Name "*" alone: it means all.')
    .describe('The event types to which the endpoint is subscribed; `["*"]` means all.'),
  enabled: z.boolean().describe('True if events are sent to the endpoint.'),
}

const Stats = z
  .object({
    total: z.int().describe('The number of deliveries in the past 7 days.'),
    succeeded: z.int().describe('The number of deliveries that were answered with 2xx.'),
    failed: z.int().describe('The number of deliveries that were given up.'),
    pending: z.int().describe('The number of deliveries that are pending.'),
    success_rate: z
      .number()
      .nullable()
      .describe('The share of ended deliveries that succeeded, 0 to 1; null if none has ended.'),
    average_duration_ms: z
      .int()
      .nullable()
      .describe(
        'The average duration of the final attempts in milliseconds; null if no delivery has ended.',
      ),
    last_delivery_at: DateTime.nullable().describe('The time when the last delivery ended.'),
  })
  .meta({ id: 'WebhookStats', description: 'Statistics of the deliveries in the past 7 days.' })

export const Webhook = z
  .object({
    id: z.string().describe('The id of the endpoint.'),
    object: z.literal('webhook_endpoint').describe('Always `webhook_endpoint`.'),
    ...WebhookFields,
    disabled_at: DateTime.nullable().describe(
      'The time when the endpoint was turned off; null if it is on.',
    ),
    disabled_reason: z
      .enum(['manual', 'failures'])
      .nullable()
      .describe(
        'The reason why the endpoint is off. `failures`: 40 failures in a row with no success in 3 days.',
      ),
    created_at: DateTime.describe('The time when the endpoint was created.'),
    updated_at: DateTime.describe('The time when the endpoint was last changed.'),
  })
  .meta({ id: 'Webhook', description: 'A URL to which events are sent.' })
export type Webhook = z.output<typeof Webhook>

export const ListedWebhook = Webhook.extend({
  stats: Stats.describe('Statistics of the deliveries in the past 7 days.'),
}).meta({ id: 'ListedWebhook', description: 'A webhook endpoint with its statistics.' })
export type ListedWebhook = z.output<typeof ListedWebhook>

export const WebhookHealth = z
  .object({
    id: z.string().describe('The id of the endpoint.'),
    failures_in_row: z.int().describe('The number of failed attempts since the last success.'),
    failures_left: z
      .int()
      .describe('The number of further failures after which the endpoint can be turned off.'),
    last_success_at: DateTime.nullable().describe('The time when an attempt last succeeded.'),
    not_before: DateTime.nullable().describe(
      'The earliest moment at which the endpoint can be turned off: 3 days after the last success. Null if no attempt has succeeded.',
    ),
    turns_off_at: DateTime.nullable().describe(
      'The time when the endpoint is turned off if all planned attempts fail; null if they are too few to turn it off.',
    ),
  })
  .meta({
    id: 'WebhookHealth',
    description: 'The recent failures of an endpoint, and the time when they turn it off.',
  })
export type WebhookHealth = z.output<typeof WebhookHealth>

export const WebhookHours = z
  .object({
    id: z.string().describe('The id of the endpoint.'),
    succeeded: z
      .array(z.int())
      .describe('The number of succeeded deliveries for each hour, oldest hour first.'),
    failed: z
      .array(z.int())
      .describe('The number of deliveries given up for each hour, oldest hour first.'),
  })
  .meta({ id: 'WebhookHours', description: 'The deliveries of an endpoint by hour.' })
export type WebhookHours = z.output<typeof WebhookHours>

export const HeaderSettings = z
  .strictObject({
    standard_headers: z
      .boolean()
      .describe('True if attempts also have the headers of Standard Webhooks.'),
  })
  .meta({ id: 'WebhookHeaders', description: 'The headers of the attempts of an endpoint.' })
export type HeaderSettings = z.output<typeof HeaderSettings>

export const NewWebhook = z
  .strictObject({
    ...WebhookFields,
    description: WebhookFields.description.default(null),
    enabled: WebhookFields.enabled.default(true),
  })
  .meta({ id: 'WebhookInput' })
export type NewWebhook = z.output<typeof NewWebhook>

export const WebhookPatch = z.strictObject(WebhookFields).partial().meta({ id: 'WebhookPatch' })
export type WebhookPatch = z.output<typeof WebhookPatch>

const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled'] as const

const DeliveryFields = {
  id: z.int().describe('The id of the delivery.'),
  object: z.literal('webhook_delivery').describe('Always `webhook_delivery`.'),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe('The status. It is `delivering` while an attempt runs.'),
  attempts: z.int().describe('The number of attempts.'),
  next_attempt_at: DateTime.nullable().describe(
    'The time of the next attempt; null if none is planned, or if the endpoint is turned off.',
  ),
  last_status_code: z.int().nullable().describe('The last status code of the receiver.'),
  last_error: z
    .string()
    .nullable()
    .describe('The error of the last attempt, as `code: sentence`; null if it succeeded.'),
  last_duration_ms: z
    .int()
    .nullable()
    .describe('The duration of the last attempt in milliseconds.'),
  event: z
    .object({
      id: z.string().describe('The event id. Receivers recognise repeated deliveries by it.'),
      type: z.string().describe('The event type.'),
      test: z.boolean().describe('True if the event is a sample.'),
      object_id: z.string().describe('The id of the record that the event is about.'),
    })
    .describe('The event.'),
  webhook: z
    .object({
      id: z.string().describe('The id of the endpoint.'),
      url: z.string().describe('The current URL of the endpoint.'),
      description: z.string().nullable().describe('A note on the purpose of the endpoint.'),
      deleted: z.boolean().describe('True if the endpoint was deleted.'),
    })
    .describe('The webhook endpoint.'),
  created_at: DateTime.describe('The time when the event happened.'),
  updated_at: DateTime.describe('The time of the last attempt or change.'),
}
const payload_redacted = z
  .boolean()
  .describe('True if a value is hidden because the API key lacks the permission to read it.')

export const ListedDelivery = z.object({ ...DeliveryFields, payload_redacted }).meta({
  id: 'ListedWebhookDelivery',
  description: 'A webhook delivery without its payload and attempts.',
})
export type ListedDelivery = z.output<typeof ListedDelivery>

const Attempt = z.object({
  attempt: z.int().describe('The number of the attempt, from 1.'),
  status_code: z
    .int()
    .nullable()
    .describe('The status code of the receiver; null if it did not respond.'),
  response_body: z
    .string()
    .nullable()
    .describe(
      'The first 4 KiB of the response. Null if `payload_redacted`, because the response may repeat the payload.',
    ),
  error: z.string().nullable().describe('The error, as `code: sentence`; null on success.'),
  duration_ms: z.int().nullable().describe('The duration in milliseconds.'),
  manual: z.boolean().describe('True for a resend or a test.'),
  created_at: DateTime.describe('The time when the attempt was made.'),
})
export type Attempt = z.output<typeof Attempt>

export const WebhookDelivery = z
  .object({
    ...DeliveryFields,
    payload: z
      .record(z.string(), z.unknown())
      .describe('The event, as it is sent to the receiver.'),
    payload_redacted,
    attempt_history: z.array(Attempt).describe('All attempts, oldest first.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A webhook delivery with all its attempts.' })
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const SendResult = z
  .object({
    ok: z.boolean().describe('True if the receiver answered with 2xx in time.'),
    status_code: z
      .int()
      .nullable()
      .describe('The status code of the receiver; null if it did not respond.'),
    error: z.string().nullable().describe('The error, as `code: sentence`; null on success.'),
    duration_ms: z.int().describe('The duration in milliseconds.'),
  })
  .meta({ id: 'SendResult', description: 'The result of one attempt.' })
export type SendResult = z.output<typeof SendResult>

export const NewTest = z
  .strictObject({
    type: EventTypeName.optional().describe(
      "The event type. Default: the first type of the endpoint's list.",
    ),
  })
  .meta({ id: 'TestInput' })

export const DeliveryQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(DELIVERY_STATUSES).describe('Only deliveries with one of these statuses.'),
  event_type: OneOrMoreOf(EVENT_TYPES, EVENT_TYPE).describe(
    'Only deliveries of these event types.',
  ),
  webhook_id: z.string().max(64).optional().describe('Only deliveries of this endpoint.'),
  event_id: z.string().max(64).optional().describe('Only deliveries of this event.'),
  test: QueryBoolean.optional().describe('`true` for only samples, `false` for no samples.'),
})
export type DeliveryQuery = z.output<typeof DeliveryQuery>

export const ObjectDeliveryQuery = z.object({
  ...PageQuery,
  object_id: z.string().min(1).max(64).describe('The id of the record that the events are about.'),
})
export type ObjectDeliveryQuery = z.output<typeof ObjectDeliveryQuery>

export const EventQuery = z.object({
  limit: PageQuery.limit,
  cursor: z.string().max(64).optional().describe('The `next_cursor` of the previous page.'),
  type: EventTypeName.optional().describe('Only events of this type.'),
  object_id: z.string().max(64).optional().describe('Only events of this record.'),
})
export type EventQuery = z.output<typeof EventQuery>

const EventFields = {
  id: z.string().describe('The id of the event, such as `evt_…`.'),
  type: EventTypeName.describe('The type of the event.'),
  test: z.boolean().describe('True if the event is a sample.'),
  object_id: z.string().describe('The id of the record that the event is about.'),
  deliveries: z.int().describe('The number of its deliveries, including the pending ones.'),
  created_at: DateTime.describe('The time when the event was recorded.'),
}

export const StoreEvent = z
  .object(EventFields)
  .meta({ id: 'StoreEvent', description: 'An event of the store.' })
export type StoreEvent = z.output<typeof StoreEvent>

export const StoreEventInFull = z
  .object({
    ...EventFields,
    payload: z
      .record(z.string(), z.unknown())
      .describe('The event, as it is sent to the receiver.'),
    payload_redacted,
  })
  .meta({ id: 'StoreEventInFull', description: 'An event with its payload.' })
export type StoreEventInFull = z.output<typeof StoreEventInFull>

export const EventPath = z.object({ id: z.string().max(64).describe('The id of the event.') })

export const NewSend = z
  .strictObject({
    webhook_id: z.string().min(1).max(64).describe('The id of the webhook endpoint.'),
  })
  .meta({ id: 'SendInput' })

export const RollSecret = z.strictObject({
  mode: z
    .enum(['now', 'overlap'])
    .describe('`now`: the old secret stops signing. `overlap`: both secrets sign for 24 hours.'),
})
export type RollSecret = z.output<typeof RollSecret>

export const WebhookQuery = z.object(ListQuery)

export const WebhookPath = z.object({
  id: z
    .string()
    .regex(/^we_[0-9A-Za-z]{22}$/)
    .describe('The id of the endpoint.'),
})

export const AttemptRequest = z
  .object({
    attempt: z.int().describe('The number of the attempt, from 1.'),
    headers: z
      .array(
        z.object({
          name: z.string().describe('The name of the header.'),
          value: z.string().describe('The value of the header.'),
        }),
      )
      .describe('The headers in the sequence in which they are sent; empty if `missing` is set.'),
    missing: z
      .enum(['not_recorded', 'secret_rolled', 'address_refused'])
      .nullable()
      .describe(
        'The reason why there are no headers: no request was recorded, the secret that signed it was replaced, or no request may be sent to the address. Null if there are headers.',
      ),
    reason: z
      .string()
      .nullable()
      .describe('The reason why no request may be sent to the address; null for other causes.'),
  })
  .meta({ id: 'AttemptRequest', description: 'The request of an attempt.' })
export type AttemptRequest = z.output<typeof AttemptRequest>

export const SentRequests = z.object({
  url: z.string().describe('The current URL of the endpoint.'),
  body: z.string().describe('The signed body as text, which is the same for all attempts.'),
  requests: z.array(AttemptRequest).describe('The requests, one for each attempt, oldest first.'),
})
export type SentRequests = z.output<typeof SentRequests>

export const ShownSecret = z
  .object({
    last4: z.string().describe('The last four characters of the secret.'),
    signs_since: DateTime.describe(
      'The time since which the secret signs, by the clock of the machine.',
    ),
    old: z
      .object({
        last4: z.string().describe('The last four characters of the old secret.'),
        until: DateTime.describe('The time until which the old secret signs too.'),
      })
      .nullable()
      .describe('The old secret; null if it no longer signs.'),
  })
  .meta({ id: 'ShownSecret', description: 'The last characters of the secrets of an endpoint.' })
export type ShownSecret = z.output<typeof ShownSecret>

export const DeliveryPath = z.object({ id: PathId.describe('The id of the delivery.') })

export const EventTypeInfo = z
  .object({
    type: EventTypeName.describe('The event type.'),
    description: z.string().describe('The change that the event reports.'),
  })
  .meta({ id: 'EventDescription', description: 'An event type.' })
