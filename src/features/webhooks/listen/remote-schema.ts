import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { Text } from '../../../kernel/shapes.ts'
import { EventTypeName, NewWebhook, URL_LENGTH_MAX } from '../schema.ts'
import { BATCH_MAX, RelayResult } from './schema.ts'

// The calls of a listener on another machine (decision 486).

const WAIT_S_MAX = 20
const WAIT_S_DEFAULT = 5

export const NewListener = z
  .strictObject({
    forward: z
      .string()
      .min(1, 'Write at least one character.')
      .max(URL_LENGTH_MAX, `Write at most ${URL_LENGTH_MAX} characters.`)
      .describe('The URL to which the listener posts. Only the log of deliveries shows it.'),
    events: NewWebhook.shape.events,
  })
  .meta({ id: 'ListenerInput' })

export const Listener = z
  .object({
    id: z.string().describe('The id of the listener.'),
    secret: z.string().describe('The secret that signs its deliveries.'),
  })
  .meta({ id: 'Listener', description: 'An endpoint that fetches its deliveries.' })

export const Poll = z
  .strictObject({
    relayed: list(RelayResult, { max: BATCH_MAX })
      .default([])
      .describe('The results of the deliveries of the previous poll.'),
    wait_s: z
      .int()
      .min(0)
      .max(WAIT_S_MAX)
      .default(WAIT_S_DEFAULT)
      .describe('The seconds to wait for a delivery.'),
  })
  .meta({ id: 'PollInput' })

export const PolledDelivery = z
  .object({
    delivery_id: z.int().describe('The id of the delivery.'),
    event_id: z.string().describe('The id of the event.'),
    type: z.string().describe('The event type.'),
    headers: z.record(z.string(), z.string()).describe('The headers, signed for the listener.'),
    body: z.string().describe('The signed bytes as text.'),
  })
  .meta({ id: 'PolledDelivery', description: 'A delivery as a listener gets it.' })

export const NewTrigger = z
  .strictObject({ type: EventTypeName.describe('The event type.') })
  .meta({ id: 'TriggerInput' })

export const Explanation = z.object({
  steps: z.array(z.string()).describe('The computation of the header, line by line.'),
  findings: z.array(z.string()).describe('The problems of the received values.'),
})

const BODY_LENGTH_MAX = 900_000

/** The data of a receiver. The texts are not trimmed, because a space may be the mistake. */
export const ReceivedRequest = z
  .strictObject({
    header: Text(2_048).describe(
      'The header `Service-Signature` that arrived, or that the receiver computed. Default: none; it is then not compared.',
    ),
    secret: Text(255).describe(
      'The secret with which the receiver verifies. Default: none; it is then not compared.',
    ),
    body: z
      .string()
      .max(BODY_LENGTH_MAX)
      .describe('The body that the receiver verified. Default: none; it is then not compared.'),
    clock: z
      .int()
      .min(0)
      .max(999_999_999_999)
      .describe(
        "The current time of the receiver's clock, in Unix seconds. Default: none; it is then not compared.",
      ),
  })
  .partial()
