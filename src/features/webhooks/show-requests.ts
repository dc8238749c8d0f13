import { requireRecord } from '../../kernel/errors.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { checkTarget } from '../../network/address.rules.ts'
import { requestBytes } from '../../sender/request.rules.ts'
import type { StoreContext } from '../../store-context.ts'
import { type HeaderInput, headersOf } from './engine/headers.ts'
import * as q from './queries/index.ts'
import type { AttemptRequest, SentRequests } from './schema.ts'
import { openPayload } from './sealed.ts'

/** A worker may sign with a secret that it read shortly before the secret was rolled. */
const ROLL_MARGIN_MS = SECOND_MS
/** The error of an attempt for which no request was sent, because its address is not allowed. */
const BLOCKED_PREFIX = 'blocked_address: '

/**
 * Returns the requests of the attempts of a delivery. Their headers are not stored, but computed again from
 * the stored bytes and the moment of signing.
 */
export async function showRequests(context: StoreContext, id: number): Promise<SentRequests> {
  const { db, store, vault, allowedHosts } = context
  const { event, payload_enc, webhook } = requireRecord(
    await q.selectDelivery(db, store.id, id),
    'Delivery',
  )
  const body = openPayload(context, event.tag, payload_enc)
  const signedDelivery = await q.selectSignedAttempts(db, store.id, id)
  const deliveryFields = { url: webhook.url, body: body.toString() }
  if (!signedDelivery) return { ...deliveryFields, requests: [] }
  const target = requireRecord(await q.selectTarget(db, signedDelivery.endpoint_id), 'Endpoint')
  const address = checkTarget(target.url, allowedHosts)
  const requestOf = ({ attempt, signed_at, error }: q.SignedAttempt): AttemptRequest => {
    if (error?.startsWith(BLOCKED_PREFIX)) {
      return withoutHeaders(attempt, 'address_refused', error.slice(BLOCKED_PREFIX.length))
    }
    if ('refusal' in address) return withoutHeaders(attempt, 'address_refused', address.message)
    if (signed_at === null) return withoutHeaders(attempt, 'not_recorded')
    const at_ms = Date.parse(signed_at)
    const rolled_ms =
      signedDelivery.secret_from === null ? 0 : Date.parse(signedDelivery.secret_from)
    if (at_ms < rolled_ms + ROLL_MARGIN_MS) return withoutHeaders(attempt, 'secret_rolled')
    const input: HeaderInput = { ...event, target, attempt, body, at_ms }
    const bytes = requestBytes(address, headersOf({ vault }, input), body)
    return { attempt, headers: headersIn(bytes), missing: null, reason: null }
  }
  return { ...deliveryFields, requests: signedDelivery.attempts.map(requestOf) }
}

const withoutHeaders = (
  attempt: number,
  missing: AttemptRequest['missing'],
  reason: string | null = null,
): AttemptRequest => ({ attempt, headers: [], missing, reason })

/** Returns the headers of a request, in the sequence in which they are sent. */
function headersIn(request: Buffer): AttemptRequest['headers'] {
  const [, ...lines] = request
    .subarray(0, request.indexOf('\r\n\r\n'))
    .toString('latin1')
    .split('\r\n')
  return lines.map((line) => {
    const end = line.indexOf(': ')
    return { name: line.slice(0, end), value: line.slice(end + 2) }
  })
}
