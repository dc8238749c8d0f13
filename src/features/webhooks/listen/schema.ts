import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { NewWebhook, URL_LENGTH_MAX } from '../schema.ts'

/** Messages between the listener and the server (decision 72). */

/** Deliveries handed over at once. */
export const BATCH_MAX = 10
const TEXT_MAX = 8 * 1024

const Relayed = z.strictObject({
  delivery_id: z.int(),
  ok: z.boolean(),
  status_code: z.int().min(0).max(999).nullable(),
  error: z.string().max(TEXT_MAX).nullable(),
  duration_ms: z.int(),
  response_body: z.string().max(TEXT_MAX).nullable(),
})
/** The response of the receiver behind a listener. */
export type Relayed = z.output<typeof Relayed>

const endpoint = z.string()
const relayed = list(Relayed, { max: BATCH_MAX })

/** One question of a listener. `store` was read before. */
export const Question = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('open'),
    forward: z.string().max(URL_LENGTH_MAX),
    events: NewWebhook.shape.events,
  }),
  z.object({ step: z.literal('next'), endpoint, relayed }),
  z.object({ step: z.literal('part'), endpoint, delivery_id: z.int(), from: z.int().min(0) }),
  z.object({ step: z.literal('close'), endpoint, relayed }),
])
export type Question = z.output<typeof Question>

/** A delivery on its way to the listener. */
export interface Handed {
  delivery_id: number
  event_id: string
  type: string
  headers: Record<string, string>
  /** The bytes that were signed, as text; null where they are too long, and are asked for in parts. */
  body: string | null
}

/** Absent deliveries: the endpoint is gone. */
export interface HandedOver {
  deliveries?: Handed[]
}
