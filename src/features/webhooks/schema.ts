import { z } from 'zod'
import { EVENT_TYPES } from '../../events/types.ts'
import { list } from '../../kernel/bounded.ts'
import {
  DateTime,
  HTTP_ADDRESS,
  OneOrMoreOf,
  PageQuery,
  PathId,
  QueryBoolean,
  QueryTime,
  Text,
} from '../../kernel/shapes.ts'

export const URL_LENGTH_MAX = 2_048
export const ENDPOINTS_MAX = 20

const WebhookFields = {
  url: z
    .string()
    .max(URL_LENGTH_MAX, `Write at most ${URL_LENGTH_MAX} characters.`)
    .meta({ pattern: HTTP_ADDRESS.source })
    .describe('The URL that receives events: https, at a public address.'),
  description: Text(500).nullable().describe('A note on its purpose.'),
  events: list(
    z
      .enum([...EVENT_TYPES, '*'])
      .meta({ id: 'SubscribedEvent', description: 'An event type, or `*` for all of them.' }),
    { max: EVENT_TYPES.length },
  )
    .min(1, 'Name at least one event type, or "*" for all.')
    .refine((types) => new Set(types).size === types.length, 'Name each event type once.')
    .meta({ uniqueItems: true })
    .refine((types) => types.length === 1 || !types.includes('*'), 'Name "*" alone: it means all.')
    .describe('Event types that it is subscribed to; `["*"]` means all.'),
  enabled: z.boolean().describe('True if events are sent to it.'),
}

const Stats = z
  .object({
    total: z.int().describe('Deliveries of the past 7 days.'),
    succeeded: z.int().describe('The deliveries of these that were answered with 2xx.'),
    failed: z.int().describe('The deliveries of these that were given up.'),
    pending: z.int().describe('Deliveries that still wait.'),
    success_rate: z.number().nullable().describe('Succeeded of those that ended, 0 to 1.'),
    average_duration_ms: z.int().nullable().describe('How long the deciding attempts took.'),
    last_delivery_at: DateTime.nullable().describe('When the last one ended.'),
  })
  .meta({ id: 'WebhookStats', description: 'Deliveries of the past 7 days.' })
export type Stats = z.output<typeof Stats>

export const Webhook = z
  .object({
    id: z.string().describe('The id of the endpoint.'),
    object: z.literal('webhook_endpoint').describe('Always `webhook_endpoint`.'),
    ...WebhookFields,
    disabled_at: DateTime.nullable().describe('When it was turned off.'),
    disabled_reason: z
      .enum(['manual', 'failures'])
      .nullable()
      .describe('`failures`: 40 in a row with no success in 3 days.'),
    created_at: DateTime.describe('When it was created.'),
    updated_at: DateTime.describe('When it was last changed.'),
  })
  .meta({ id: 'Webhook', description: 'The webhook endpoint.' })
export type Webhook = z.output<typeof Webhook>

export const ListedWebhook = Webhook.extend({
  stats: Stats.describe('Its deliveries of the past 7 days.'),
}).meta({ id: 'ListedWebhook', description: 'A webhook endpoint with its statistics.' })
export type ListedWebhook = z.output<typeof ListedWebhook>

export const WebhookHealth = z
  .object({
    id: z.string().describe('The id of the endpoint.'),
    failures_in_row: z.int().describe('Attempts that failed since the last success.'),
    failures_left: z.int().describe('Failures that are left before it can be turned off.'),
    last_success_at: DateTime.nullable().describe('The last attempt that succeeded.'),
    not_before: DateTime.nullable().describe('3 days after the last success; null without one.'),
    turns_off_at: DateTime.nullable().describe(
      'When it is turned off if all planned attempts fail; null if these do not suffice.',
    ),
  })
  .meta({ id: 'WebhookHealth', description: 'When an endpoint is turned off if nothing succeeds.' })
export type WebhookHealth = z.output<typeof WebhookHealth>

export const WebhookHours = z
  .object({
    id: z.string().describe('The id of the endpoint.'),
    succeeded: z.array(z.int()).describe('Deliveries that succeeded, by hour.'),
    failed: z.array(z.int()).describe('Deliveries that were given up, by hour.'),
  })
  .meta({ id: 'WebhookHours', description: 'Deliveries of an endpoint by hour, the oldest first.' })
export type WebhookHours = z.output<typeof WebhookHours>

export const HeaderSettings = z
  .strictObject({
    standard_headers: z
      .boolean()
      .describe('True if attempts have the headers of Standard Webhooks too.'),
  })
  .meta({ id: 'WebhookHeaders', description: 'The headers of the attempts of an endpoint.' })
export type HeaderSettings = z.output<typeof HeaderSettings>

export const NewWebhook = z
  .strictObject({
    ...WebhookFields,
    description: WebhookFields.description.default(null),
    enabled: WebhookFields.enabled.default(true),
  })
  .meta({ id: 'NewWebhook' })
export type NewWebhook = z.output<typeof NewWebhook>

export const WebhookPatch = z.strictObject(WebhookFields).partial().meta({ id: 'WebhookPatch' })
export type WebhookPatch = z.output<typeof WebhookPatch>

const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled'] as const

const DeliveryFields = {
  id: z.int().describe('The id of the delivery.'),
  object: z.literal('webhook_delivery').describe('Always `webhook_delivery`.'),
  status: z.enum(DELIVERY_STATUSES).describe('`delivering` while an attempt runs.'),
  attempts: z.int().describe('How often it was tried.'),
  next_attempt_at: DateTime.nullable().describe('When it is tried next; null if never, or parked.'),
  last_status_code: z.int().nullable().describe('The last status code of the receiver.'),
  last_error: z
    .string()
    .nullable()
    .describe('`code: sentence` of the last failure; null on success.'),
  last_duration_ms: z.int().nullable().describe('How long the last attempt took.'),
  event: z
    .object({
      id: z.string().describe('The event; receivers discard doubles by it.'),
      type: z.string().describe('Its type.'),
      test: z.boolean().describe('True if it is a sample.'),
      object_id: z.string().describe('The record of the event.'),
    })
    .describe('The event.'),
  webhook: z
    .object({
      id: z.string().describe('The endpoint.'),
      url: z.string().describe('Its address now.'),
      description: z.string().nullable().describe('A note on its purpose.'),
      deleted: z.boolean().describe('True if it is gone.'),
    })
    .describe('The webhook endpoint.'),
  created_at: DateTime.describe('When the event happened.'),
  updated_at: DateTime.describe('When it was last tried or changed.'),
}
const payload_redacted = z.boolean().describe('True if a value is hidden from this key.')

/** A delivery in a list: without its payload and its attempts. */
export const ListedDelivery = z
  .object({ ...DeliveryFields, payload_redacted })
  .meta({ id: 'ListedWebhookDelivery', description: 'A webhook delivery.' })
export type ListedDelivery = z.output<typeof ListedDelivery>

const Attempt = z.object({
  attempt: z.int().describe('Its number, from 1.'),
  status_code: z
    .int()
    .nullable()
    .describe('The status code of the receiver; null without an answer.'),
  response_body: z
    .string()
    .nullable()
    .describe('The first 4 KiB of the answer; null where `payload_redacted`, as it may repeat it.'),
  error: z.string().nullable().describe('`code: sentence` of a failure; null on success.'),
  duration_ms: z.int().nullable().describe('How long it took.'),
  manual: z.boolean().describe('True for a manual attempt.'),
  created_at: DateTime.describe('When it was created.'),
})
export type Attempt = z.output<typeof Attempt>

export const WebhookDelivery = z
  .object({
    ...DeliveryFields,
    payload: z.record(z.string(), z.unknown()).describe('The event as it is sent.'),
    payload_redacted,
    attempt_history: z.array(Attempt).describe('Every attempt, the oldest first.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A webhook delivery with all its attempts.' })
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const SendResult = z
  .object({
    ok: z.boolean().describe('True if the receiver answered with 2xx in time.'),
    status_code: z
      .int()
      .nullable()
      .describe('The status code of the receiver; null without an answer.'),
    error: z.string().nullable().describe('`code: sentence` of a failure; null on success.'),
    duration_ms: z.int().describe('How long it took.'),
  })
  .meta({ id: 'SendResult', description: 'The result of one attempt.' })
export type SendResult = z.output<typeof SendResult>

export const NewTest = z
  .strictObject({
    type: z
      .enum(EVENT_TYPES)
      .optional()
      .describe("Absent: the first type of the endpoint's own list."),
  })
  .meta({ id: 'NewTest' })

export const DeliveryQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(DELIVERY_STATUSES).describe('One or several statuses.'),
  event_type: OneOrMoreOf(EVENT_TYPES).describe('One or several event types.'),
  webhook_id: z.string().max(64).optional().describe('The endpoint.'),
  event_id: z.string().max(64).optional().describe('The event.'),
  test: QueryBoolean.optional().describe('`true` for samples only, `false` without them.'),
  created_from: QueryTime.optional().describe('Happened at this moment or later.'),
  created_to: QueryTime.optional().describe('Happened before this moment.'),
})
export type DeliveryQuery = z.output<typeof DeliveryQuery>

export const ObjectDeliveryQuery = z.object({
  ...PageQuery,
  object_id: z.string().min(1).max(64).describe('The record that the events report.'),
})
export type ObjectDeliveryQuery = z.output<typeof ObjectDeliveryQuery>

export const RollSecret = z.strictObject({
  mode: z
    .enum(['now', 'overlap'])
    .describe('`now` stops the old secret; with `overlap` both sign for 24 hours.'),
})
export type RollSecret = z.output<typeof RollSecret>

const BODY_MAX = 900_000

/** The data that a receiver has of a delivery. Each text is taken as it is, because a space may be the fault. */
export const Received = z
  .strictObject({
    header: Text(2_048).describe(
      '`Service-Signature` as it arrived, or as the receiver computed it.',
    ),
    secret: Text(255).describe('The secret that the receiver verifies with.'),
    body: z.string().max(BODY_MAX).describe('The body that the receiver verified.'),
    clock: z.int().min(0).max(999_999_999_999).describe("The receiver's clock, in Unix seconds."),
  })
  .partial()
export type Received = z.output<typeof Received>

export const WebhookQuery = z.object(PageQuery)
export type WebhookQuery = z.output<typeof WebhookQuery>

export const WebhookPath = z.object({
  id: z
    .string()
    .regex(/^we_[0-9A-Za-z]{22}$/)
    .describe('The endpoint.'),
})
export const DeliveryPath = z.object({ id: PathId.describe('The delivery.') })

export const EventTypeInfo = z
  .object({
    type: z.enum(EVENT_TYPES).describe('The event type.'),
    description: z.string().describe('When it is sent.'),
  })
  .meta({ id: 'EventDescription', description: 'A type of event.' })
