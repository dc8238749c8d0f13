import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { verifySignature } from '../../../../sender/signature.ts'
import { machineNow, type StoreContext } from '../../../../store-context.ts'
import { openCredentials } from '../credentials.ts'
import type { Callback } from '../provider.ts'
import { STRIPE } from './client.ts'
import { isId } from './metadata.rules.ts'

const HEADER = 'stripe-signature'
/** The fields of an event's object that may be the id of a payment or of its transaction. */
const ID_FIELDS = ['id', 'payment_intent', 'charge', 'latest_charge'] as const

const Event = z.object({
  id: z.string().max(255),
  type: z.string().max(255),
  data: z.object({
    object: z.looseObject({ metadata: z.record(z.string(), z.string()).nullish() }),
  }),
})

/**
 * Reads a callback. Its signature has the form of our own webhooks, so the package of Stripe, which is large, is not needed
 * to refuse a forged one.
 */
export async function readStripeCallback(
  context: StoreContext,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Promise<Callback | undefined> {
  const header = headers[HEADER]
  if (typeof header !== 'string') return undefined
  const opened = await openCredentials(context, STRIPE)
  if (!opened) return undefined
  const now_s = Math.floor(machineNow(context) / 1_000)
  const secret = String(opened.credentials.webhook_secret)
  if (!verifySignature(secret, header, body, now_s)) return undefined
  const event = eventOf(body)
  return event && callbackOf(context, event)
}

/** Why not the strict JSON of our own calls? Stripe has signed the body, and repeats a refused event for days. */
function eventOf(body: Buffer): z.output<typeof Event> | undefined {
  try {
    return Event.parse(JSON.parse(body.toString()))
  } catch {
    return undefined
  }
}

function callbackOf({ store }: StoreContext, { id, type, data }: z.output<typeof Event>): Callback {
  const { object } = data
  const { metadata } = object
  const names_store = metadata?.store === store.hash
  const payment = metadata?.payment ?? ''
  return {
    external_id: id,
    type,
    names_store,
    payment_id: names_store && isId(payment) ? Number(payment) : null,
    external_ids: ID_FIELDS.map((name) => object[name]).filter(
      (value) => typeof value === 'string',
    ),
  }
}
