import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { NewWebhook, URL_LENGTH_MAX } from '../schema.ts'

// Messages between the listener and the server.

/** The maximum number of deliveries in one response. */
export const BATCH_MAX = 10
const TEXT_MAX = 8 * 1024

/** An attempt ends after 10 s. */
const DURATION_MS_MAX = 3_600_000

export const RelayResult = z
  .strictObject({
    delivery_id: z.int().describe('The id of the delivery.'),
    ok: z.boolean().describe('True if the receiver answered with 2xx in time.'),
    status_code: z
      .int()
      .min(0)
      .max(999)
      .nullable()
      .describe('The status code of the receiver; null if it did not respond.'),
    error: z
      .string()
      .max(TEXT_MAX)
      .nullable()
      .describe('The error, as `code: sentence`; null on success.'),
    duration_ms: z.int().min(0).max(DURATION_MS_MAX).describe('The duration in milliseconds.'),
    response_body: z
      .string()
      .max(TEXT_MAX)
      .nullable()
      .describe('The start of the response of the receiver.'),
  })
  .meta({ id: 'RelayResult', description: 'The result of a delivery that a listener relayed.' })
/** The result of a delivery that the listener relayed. */
export type RelayResult = z.output<typeof RelayResult>

const EndpointId = z.string()
const RelayResults = list(RelayResult, { max: BATCH_MAX })

/** One request of a listener. `store` is read separately. */
export const ListenerRequest = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('open'),
    forward: z.string().max(URL_LENGTH_MAX),
    events: NewWebhook.shape.events,
  }),
  z.object({ step: z.literal('next'), endpoint: EndpointId, relayed: RelayResults }),
  z.object({
    step: z.literal('part'),
    endpoint: EndpointId,
    delivery_id: z.int(),
    from: z.int().min(0),
  }),
  z.object({ step: z.literal('close'), endpoint: EndpointId, relayed: RelayResults }),
])

/** A delivery as it is sent to the listener. */
export interface ListenerDelivery {
  delivery_id: number
  event_id: string
  type: string
  headers: Record<string, string>
  /** The signed bytes as text; null if they are too long. The listener then requests them in parts. */
  body: string | null
}

/** The answer to a poll. It has no `deliveries` if the endpoint was deleted. */
export interface PollAnswer {
  deliveries?: ListenerDelivery[]
}
