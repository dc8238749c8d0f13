import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import type { Json } from '../harness.ts'
import { openLocalServer } from '../local-server.ts'
import { createActs, withoutInternals } from './stripe-acts.ts'
import { readForm } from './stripe-form.ts'
import {
  createIntent,
  createRecords,
  createRefund,
  createSession,
  detachMethod,
  expireSession,
  failRefund,
  find,
  listIntents,
  listOf,
  listSessions,
  type StripeRecords,
  StripeRefusal,
} from './stripe-records.ts'

/** A request that the fake received. */
export interface StripeRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * The ways in which the next requests fail. `dies_after_acting` and `hangs_after_acting` lose the answer, `acts_late` acts
 * when `actLate` is called, `acts_twice` gets the request twice and answers the second, and `large` has 2 MiB.
 */
export type Misbehaviour =
  | 'none'
  | 'error_500'
  | 'error_400'
  | 'unauthorized'
  | 'forbidden'
  | 'conflict'
  | 'rate_limited'
  | 'hangs'
  | 'hangs_after_acting'
  | 'acts_late'
  | 'acts_twice'
  | 'broken_json'
  | 'no_object'
  | 'large'
  | 'redirect'
  | 'dies'
  | 'dies_after_acting'

/** A server that speaks the wire format of Stripe, with one account in memory. */
export interface FakeStripe extends ReturnType<typeof createActs> {
  url: string
  records: StripeRecords
  /** All requests, also those that failed. */
  requests: StripeRequest[]
  /** The secret keys that are accepted. */
  keys: Set<string>
  /** The ways in which the next requests fail, one each. */
  misbehaviours: Misbehaviour[]
  /** The way in which all requests fail, if no other is next. */
  outage: Misbehaviour | undefined
  /** The status of the next refund, if it is another one than `succeeded`. */
  nextRefund: 'pending' | 'failed' | undefined
  /** The reason for which the banks refuse charges without a buyer. */
  declines: 'card_declined' | 'authentication_required' | undefined
  /** Runs after a request has acted, before its answer is sent. */
  beforeAnswer: (() => void) | undefined
  /** Deletes the idempotency keys, as Stripe does after a day. */
  deleteKeys(): void
  /** Runs the requests that arrive late, and returns their number. Their callers have hung up. */
  actLate(): number
  /** Returns an event as the request that Stripe sends, signed now or at another time. */
  signed(event: Json, secret: string, timestamp_s?: number): SignedEvent
  close(): Promise<void>
}

export interface SignedEvent {
  headers: Record<string, string>
  body: string
}

export const STRIPE_KEY = 'sk_test_51FakeKeyOfTheTests'
export const STRIPE_WEBHOOK_SECRET = 'whsec_FakeSecretOfTheTests'
export const STRIPE_ACCOUNT = 'Ada Games'

/** Starts the fake. `now` is the clock of the machine. */
export async function startFakeStripe(now: () => number = () => Date.now()): Promise<FakeStripe> {
  const records = createRecords(now)
  const requests: StripeRequest[] = []
  const keys = new Set([STRIPE_KEY])
  const misbehaviours: Misbehaviour[] = []
  const answers = new Map<string, { form: string; status: number; body: Json }>()
  const lateRequests: StripeRequest[] = []

  /** Runs a request once for its idempotency key, and repeats the answer of the first. */
  function actOnce(request: StripeRequest): { status: number; body: Json } {
    const key = request.headers['idempotency-key']
    const form = `${request.method} ${request.path} ${request.body}`
    const first = typeof key === 'string' ? answers.get(key) : undefined
    if (first && first.form !== form)
      throw new StripeRefusal(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
      })
    if (first) return first
    const body = withoutInternals(act(records, server.origin, request, chargeOrDecline))
    if (fake.nextRefund && body.object === 'refund') {
      failRefund(records, body.id, fake.nextRefund)
      fake.nextRefund = undefined
      Object.assign(body, records.refunds.get(body.id))
    }
    if (typeof key === 'string') answers.set(key, { form, status: 200, body })
    return { status: 200, body }
  }

  /** Charges a saved method, or refuses as its bank does. The intent of a refused charge stays. */
  function chargeOrDecline(intent: Json): void {
    const code = fake.declines
    if (code === undefined) {
      fake.charge(intent)
      return
    }
    const error = { type: 'card_error', code, message: `The bank said ${code}.` }
    Object.assign(intent, { last_payment_error: error })
    throw new StripeRefusal(402, { ...error, payment_intent: intent })
  }

  const server = await openLocalServer(async (incoming, response) => {
    const request = await receive(incoming)
    requests.push(request)
    const misbehaviour = misbehaviours.shift() ?? fake.outage
    if (misbehaviour && misbehave(misbehaviour, request, response)) return
    if (misbehaviour === 'acts_late') return void lateRequests.push(request)
    if (misbehaviour === 'acts_twice') answer(request)
    const { status, body } = answer(request)
    fake.beforeAnswer?.()
    if (misbehaviour === 'dies_after_acting') incoming.socket.destroy()
    else if (misbehaviour !== 'hangs_after_acting') send(response, status, body)
  })

  /** Runs a request, and returns the answer. */
  function answer(request: StripeRequest): { status: number; body: Json } {
    try {
      checkKey(keys, request)
      return actOnce(request)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return { status: error.status, body: { error: error.error } }
    }
  }

  const fake: FakeStripe = {
    url: server.origin,
    records,
    requests,
    keys,
    misbehaviours,
    ...createActs(records),
    outage: undefined,
    nextRefund: undefined,
    declines: undefined,
    beforeAnswer: undefined,
    deleteKeys: () => answers.clear(),
    actLate() {
      return lateRequests.splice(0).map(answer).length
    },
    signed(event, secret, timestamp_s = records.now_s()) {
      const payload = JSON.stringify(event)
      const header = Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: timestamp_s,
      })
      return {
        headers: { 'stripe-signature': header, 'content-type': 'application/json' },
        body: payload,
      }
    },
    close: server.close,
  }
  return fake
}

const receive = async (request: IncomingMessage): Promise<StripeRequest> => ({
  method: request.method ?? '',
  path: request.url ?? '',
  headers: request.headers,
  body: await text(request),
})

function checkKey(keys: ReadonlySet<string>, { headers }: StripeRequest): void {
  const key = headers.authorization?.replace('Bearer ', '') ?? ''
  if (!keys.has(key)) throw new StripeRefusal(401, { message: `Invalid API Key provided: ${key}` })
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' })
  response.end(JSON.stringify(body, null, 2))
}

/** Runs a request against the records. */
function act(
  records: StripeRecords,
  origin: string,
  { method, path, body }: StripeRequest,
  charge: (intent: Json) => void,
): Json {
  const { pathname, search } = new URL(path, origin)
  const [, , area = '', ...rest] = pathname.split('/')
  const query = readForm(search.slice(1))
  const form = readForm(body)
  const call = `${method} ${[area, ...rest.map((part) => (/_\d/.test(part) ? ':id' : part))].join('/')}`
  const id = rest.find((part) => /_\d/.test(part)) ?? ''
  switch (call) {
    case 'GET account':
      return accountRecord()
    case 'POST checkout/sessions':
      return createSession(records, origin, form)
    case 'GET checkout/sessions':
      return listSessions(records, query)
    case 'GET checkout/sessions/:id':
      return expanded(records, find(records.sessions, 'checkout.session', id), query.expand)
    case 'POST checkout/sessions/:id/expire':
      return expireSession(records, id)
    case 'POST refunds':
      return createRefund(records, form)
    case 'GET refunds/:id':
      return find(records.refunds, 'refund', id)
    case 'GET refunds':
      return listOf(records.refunds, '/v1/refunds', query)
    case 'POST payment_intents':
      return expandedIntent(records, createIntent(records, form, charge), form.expand)
    case 'GET payment_intents':
      return listIntents(records, query)
    case 'GET payment_intents/:id':
      return expandedIntent(records, find(records.intents, 'payment_intent', id), query.expand)
    case 'POST payment_methods/:id/detach':
      return detachMethod(records, id)
    case 'GET disputes':
      return listOf(records.disputes, '/v1/disputes', query)
    default:
      throw new StripeRefusal(404, {
        message: `Unrecognized request URL (${method}: ${pathname}).`,
      })
  }
}

const accountRecord = (): Json => ({
  id: 'acct_1FakeAccount',
  object: 'account',
  business_profile: { name: null },
  settings: { dashboard: { display_name: STRIPE_ACCOUNT, timezone: 'Etc/UTC' } },
})

/** Returns a session with its payment intent, and the intent with its charge, if the request expands them. */
function expanded(records: StripeRecords, session: Json, expand: string[] = []): Json {
  const setUp = records.intents.get(session.setup_intent)
  if (setUp && expand.includes('setup_intent.payment_method')) {
    const payment_method = records.methods.get(setUp.payment_method) ?? null
    return { ...session, setup_intent: { ...setUp, payment_method } }
  }
  const intent = records.intents.get(session.payment_intent)
  if (!intent || !expand.some((path) => path.startsWith('payment_intent'))) return session
  const payment_intent = expandedIntent(records, intent, expand)
  if (expand.includes('payment_intent.payment_method'))
    payment_intent.payment_method = records.methods.get(intent.payment_method) ?? null
  return { ...session, payment_intent }
}

function expandedIntent(records: StripeRecords, intent: Json, expand: string[] = []): Json {
  const charge = records.charges.get(intent.latest_charge)
  const withCharge = charge && expand.some((path) => path.includes('latest_charge'))
  return { ...intent, ...(withCharge && { latest_charge: charge }) }
}

/** Answers in a wrong way. Returns false if the request is run first. */
function misbehave(
  kind: Misbehaviour,
  { headers }: StripeRequest,
  response: ServerResponse,
): boolean {
  // Stripe masks the key. A server that does not is worse, and its texts may not be shown either.
  const key = headers.authorization?.replace('Bearer ', '')
  const error = (status: number, fields: Json) =>
    send(response, status, {
      error: { type: 'api_error', message: `Failed for ${key}.`, ...fields },
    })
  switch (kind) {
    case 'none':
    case 'dies_after_acting':
    case 'hangs_after_acting':
    case 'acts_late':
    case 'acts_twice':
      return false
    case 'error_500':
      error(500, {})
      return true
    case 'error_400':
      error(400, { type: 'invalid_request_error', code: 'account_invalid' })
      return true
    case 'unauthorized':
      error(401, { type: 'invalid_request_error' })
      return true
    case 'forbidden':
      error(403, { type: 'invalid_request_error' })
      return true
    case 'conflict':
      error(409, { type: 'idempotency_error' })
      return true
    case 'rate_limited':
      error(429, { type: 'invalid_request_error', code: 'rate_limit' })
      return true
    case 'hangs':
      return true
    case 'broken_json':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "cs_')
      return true
    case 'no_object':
      response.writeHead(200, { 'content-type': 'application/json' }).end('null')
      return true
    case 'large':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"id": "${'x'.repeat(2 * 1024 * 1024)}"}`)
      return true
    case 'redirect':
      response.writeHead(302, { location: 'https://example.com/' }).end()
      return true
    case 'dies':
      response.socket?.destroy()
      return true
  }
}
