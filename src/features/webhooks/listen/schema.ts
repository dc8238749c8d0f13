import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { NewWebhook, URL_LENGTH_MAX } from '../schema.ts'

// Messages between the listener and the server (decision 72).

/** The maximum number of deliveries in one response. */
export const BATCH_MAX = 10
const TEXT_MAX = 8 * 1024

const RelayResult = z.strictObject({
  delivery_id: z.int(),
  ok: z.boolean(),
  status_code: z.int().min(0).max(999).nullable(),
  error: z.string().max(TEXT_MAX).nullable(),
  duration_ms: z.int(),
  response_body: z.string().max(TEXT_MAX).nullable(),
})
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
