import type { Json } from '../harness.ts'

/** An error of Stripe, with its status. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly error: Json

  constructor(status: number, error: Json) {
    super(error.message)
    this.status = status
    this.error = { type: 'invalid_request_error', ...error }
  }
}

export const refuse = (message: string, fields: Json = {}) =>
  new StripeRefusal(400, { message, ...fields })

/** The records of one account at the fake Stripe, as its API shows them. */
export interface StripeRecords {
  sessions: Map<string, Json>
  intents: Map<string, Json>
  charges: Map<string, Json>
  refunds: Map<string, Json>
  disputes: Map<string, Json>
  methods: Map<string, Json>
  newId(prefix: string): string
  now_s(): number
}

export function createRecords(now: () => number): StripeRecords {
  let count = 0
  return {
    sessions: new Map(),
    intents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    methods: new Map(),
    newId: (prefix) => `${prefix}_${String(++count).padStart(24, '0')}`,
    now_s: () => Math.floor(now() / 1_000),
  }
}

export function find(records: Map<string, Json>, kind: string, id: string): Json {
  const record = records.get(id)
  if (record) return record
  const fields = { code: 'resource_missing', param: 'id' }
  throw new StripeRefusal(404, { message: `No such ${kind}: '${id}'`, ...fields })
}

const SESSION_FIELDS = [
  'mode',
  'currency',
  'client_reference_id',
  'line_items',
  'metadata',
  'payment_intent_data',
  'setup_intent_data',
  'success_url',
  'cancel_url',
  'expires_at',
  'customer',
  'customer_creation',
]
/** The smallest charges that the tests need. */
const MINIMA: Record<string, number> = { eur: 50, usd: 50 }
const LIFETIME_S = [30 * 60, 24 * 60 * 60] as const

export function createSession(records: StripeRecords, origin: string, form: Json): Json {
  const unknown = Object.keys(form).find((name) => !SESSION_FIELDS.includes(name))
  if (unknown) throw refuse(`Received unknown parameter: ${unknown}`, { param: unknown })
  if (form.mode !== 'payment' && form.mode !== 'setup')
    throw refuse('Invalid mode.', { param: 'mode' })
  if (form.mode === 'setup' && form.line_items)
    throw refuse('You can not pass `line_items` in `setup` mode.', { param: 'line_items' })
  if (!URL.canParse(form.success_url)) throw refuse('Not a valid URL', { code: 'url_invalid' })
  const { amount, currency } = form.mode === 'setup' ? setUpAmount(form) : amountOf(form)
  const created = records.now_s()
  const expires_at = Number(form.expires_at)
  const [min_s, max_s] = LIFETIME_S
  if (!(expires_at >= created + min_s && expires_at <= created + max_s))
    throw refuse('The `expires_at` timestamp must be between 30 minutes and 24 hours.', {
      param: 'expires_at',
    })
  const id = records.newId('cs_test')
  const session = {
    id,
    object: 'checkout.session',
    amount_total: amount,
    cancel_url: form.cancel_url ?? null,
    client_reference_id: form.client_reference_id ?? null,
    created,
    currency,
    customer: form.customer ?? null,
    expires_at,
    livemode: false,
    metadata: form.metadata ?? {},
    mode: form.mode,
    payment_intent: null,
    payment_status: form.mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: null,
    status: 'open',
    success_url: form.success_url,
    url: `${origin}/c/pay/${id}`,
    // No part of the API: the intent is made when the buyer pays.
    ...intentFields(form),
  }
  records.sessions.set(id, session)
  return session
}

const setUpAmount = ({ currency }: Json): Json => ({ amount: null, currency })

function amountOf({ line_items: [{ quantity, price_data }] }: Json): Json {
  const amount = Number(quantity) * Number(price_data.unit_amount)
  if (!price_data.product_data.name) throw refuse('You must specify a name.')
  if (!Number.isSafeInteger(amount)) throw refuse('Invalid integer', { param: 'unit_amount' })
  if (amount < (MINIMA[price_data.currency] ?? 1))
    throw refuse('The amount is too small.', { code: 'amount_too_small' })
  return { amount, currency: price_data.currency }
}

function intentFields({ payment_intent_data, setup_intent_data, customer_creation }: Json): Json {
  const data = payment_intent_data ?? setup_intent_data
  return {
    intent_metadata: data?.metadata ?? {},
    intent_setup_future_usage: data?.setup_future_usage ?? null,
    intent_customer_creation: customer_creation ?? null,
  }
}

export function expireSession(records: StripeRecords, id: string): Json {
  const session = find(records.sessions, 'checkout.session', id)
  if (session.status !== 'open')
    throw refuse(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  Object.assign(session, { status: 'expired', url: null })
  return session
}

/** Returns a page of the sessions in the form of a list, the newest first. */
export function listSessions({ sessions }: StripeRecords, { status, created, limit }: Json): Json {
  const rows = [...sessions.values()].filter(
    (session) => session.status === status && session.created >= Number(created.gte),
  )
  const data = rows.toReversed().slice(0, Number(limit))
  return { object: 'list', url: '/v1/checkout/sessions', has_more: rows.length > data.length, data }
}

const REFUND_FIELDS = ['payment_intent', 'amount', 'metadata', 'reason']

export function createRefund(records: StripeRecords, form: Json): Json {
  const unknown = Object.keys(form).find((name) => !REFUND_FIELDS.includes(name))
  if (unknown) throw refuse(`Received unknown parameter: ${unknown}`, { param: unknown })
  const intent = find(records.intents, 'payment_intent', form.payment_intent)
  const charge = find(records.charges, 'charge', String(intent.latest_charge))
  const amount = Number(form.amount ?? charge.amount - charge.amount_refunded)
  const refundable = charge.amount - charge.amount_refunded
  if (refundable === 0)
    throw refuse('Charge has already been refunded.', { code: 'charge_already_refunded' })
  if (isDisputed(records, charge.id))
    throw refuse('The charge has been charged back.', { code: 'charge_disputed' })
  if (amount > refundable)
    throw refuse('Refund amount is greater than unrefunded amount on charge.', { param: 'amount' })
  const refund = {
    id: records.newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: records.now_s(),
    currency: charge.currency,
    failure_reason: null as string | null,
    metadata: form.metadata ?? {},
    payment_intent: intent.id,
    reason: form.reason ?? null,
    status: 'succeeded',
  }
  records.refunds.set(refund.id, refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  return refund
}

/** The bank takes the money of a dispute, so Stripe returns none of the charge unless the dispute is won. */
const isDisputed = ({ disputes }: StripeRecords, chargeId: string): boolean =>
  [...disputes.values()].some(({ charge, status }) => charge === chargeId && status !== 'won')

/** Returns records of a payment intent in the form of a list, the newest first. */
export const listOf = (records: Map<string, Json>, url: string, query: Json): Json => {
  const rows = [...records.values()].filter(
    (record) => record.payment_intent === query.payment_intent,
  )
  return { object: 'list', url, has_more: false, data: rows.toReversed() }
}

const INTENT_FIELDS = [
  'amount',
  'currency',
  'customer',
  'payment_method',
  'off_session',
  'confirm',
  'metadata',
  'expand',
]

/** Charges a saved method without its buyer. `charge` books the charge of the intent, or throws the refusal of the bank. */
export function createIntent(
  records: StripeRecords,
  form: Json,
  charge: (intent: Json) => void,
): Json {
  const unknown = Object.keys(form).find((name) => !INTENT_FIELDS.includes(name))
  if (unknown) throw refuse(`Received unknown parameter: ${unknown}`, { param: unknown })
  const method = find(records.methods, 'PaymentMethod', form.payment_method)
  if (form.off_session !== 'true' || form.confirm !== 'true') throw refuse('Not off session.')
  if (!form.customer || method.customer !== form.customer)
    throw refuse('The customer does not have a payment method with this ID.')
  const intent = {
    id: records.newId('pi'),
    object: 'payment_intent',
    amount: Number(form.amount),
    amount_received: 0,
    created: records.now_s(),
    currency: form.currency,
    customer: form.customer,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: form.metadata ?? {},
    payment_method: method.id,
    status: 'requires_payment_method',
  }
  records.intents.set(intent.id, intent)
  charge(intent)
  return intent
}

/** Returns the intents of a customer in the form of a list, the newest first. */
export function listIntents(records: StripeRecords, { customer }: Json): Json {
  const rows = [...records.intents.values()].filter((intent) => intent.customer === customer)
  return { object: 'list', url: '/v1/payment_intents', has_more: false, data: rows.toReversed() }
}

export function detachMethod(records: StripeRecords, id: string): Json {
  const method = find(records.methods, 'PaymentMethod', id)
  if (method.customer === null)
    throw refuse('The payment method is not attached.', { code: 'payment_method_not_attached' })
  method.customer = null
  return method
}

/** Has a refund wait for its bank, or fail there. The money of a failed one stays with the charge. */
export function failRefund(records: StripeRecords, id: string, status: 'pending' | 'failed'): void {
  const refund = find(records.refunds, 'refund', id)
  refund.status = status
  if (status === 'pending') return
  refund.failure_reason = 'expired_or_canceled_card'
  find(records.charges, 'charge', refund.charge).amount_refunded -= refund.amount
}
