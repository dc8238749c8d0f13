import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { newId } from '../../../../kernel/ids.ts'
import { parseJson } from '../../../../kernel/json.ts'
import { signatureHeader, verifySignature } from '../../../../sender/signature.ts'
import { machineNow, type StoreContext } from '../../../../store-context.ts'
import type { Callback } from '../provider.ts'
import type { TestStatus } from './play.rules.ts'
import type { TestPayment } from './queries.ts'

const HEADER = 'service-signature'

/** The secret with which the provider signs its callbacks to a store. */
const secretOf = ({ vault, store }: StoreContext): string =>
  vault.hmac('callbacks of the provider test', String(store.id)).toString('hex')

const nowInSeconds = (context: StoreContext): number => Math.floor(machineNow(context) / 1_000)

/** Returns the body of a callback about a payment. */
export function callbackBody(
  { store }: StoreContext,
  {
    payment_id,
    status,
  }: Pick<TestPayment, 'payment_id'> & { status: TestStatus | 'refunded' | 'disputed' },
): string {
  return JSON.stringify({
    id: newId('tev_'),
    type: `payment.${status}`,
    data: { store: store.hash, payment: payment_id },
  })
}

/** Returns a callback as it arrives. A forged one is signed with another secret. */
export function signedCallback(
  context: StoreContext,
  text: string,
  { forged = false }: { forged?: boolean } = {},
): { headers: IncomingHttpHeaders; body: Buffer } {
  const body = Buffer.from(text)
  const secret = forged ? 'a guess' : secretOf(context)
  return { headers: { [HEADER]: signatureHeader([secret], nowInSeconds(context), body) }, body }
}

const Body = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ store: z.string(), payment: z.int() }),
})

function bodyOf(bytes: Buffer): z.output<typeof Body> | undefined {
  try {
    return Body.parse(parseJson(bytes))
  } catch {
    return undefined
  }
}

/** Reads a callback. Returns undefined if its signature is not that of the provider. */
export function readTestCallback(
  context: StoreContext,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Callback | undefined {
  const header = headers[HEADER]
  if (typeof header !== 'string') return undefined
  if (!verifySignature(secretOf(context), header, body, nowInSeconds(context))) return undefined
  const event = bodyOf(body)
  if (!event) return undefined
  const { id, type, data } = event
  const names_store = data.store === context.store.hash
  return {
    external_id: id,
    type,
    names_store,
    payment_id: names_store ? data.payment : null,
    external_ids: [],
  }
}
