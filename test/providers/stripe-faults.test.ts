import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { keysNamed, order, product } from '../build.ts'
import { chanceOf } from '../chance.mjs'
import { expectNoFindings } from '../findings.ts'
import type { Json } from '../harness.ts'
import { subscriptionOf, subscriptionProduct } from '../subscribe.ts'
import { walkPart } from '../walks.ts'
import type { Misbehaviour } from './stripe.ts'
import { faultsOf, strangersOf } from './stripe-books.ts'
import { runJobs, shortenCalls, untilQuiet } from './stripe-quiet.ts'
import { openStripeStore, type StripeStore } from './stripe-store.ts'

// The N-th call to Stripe, or the N-th statement, of an act fails, for every N. Then the caller repeats the act, callbacks
// arrive, jobs run and hours pass. Nothing may be charged twice or delivered unpaid, and the books must agree.

/** No act makes so many calls or statements. */
const CALLS_MAX = 10
const STATEMENTS_MAX = 150
const KEYS = 600

const FAULTS: readonly Misbehaviour[] = [
  'error_500',
  'dies_after_acting',
  'hangs',
  'hangs_after_acting',
  'acts_late',
  'acts_twice',
]
/** The package of Stripe sends a request again, once, after its connection broke. */
const timesOf = (fault: Misbehaviour): number => (fault === 'dies_after_acting' ? 2 : 1)

let store: StripeStore
let productId: string
let buyers = 0
const chance = chanceOf('faults of Stripe')

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
  await sql`update api_key set rate_limit = 0`.execute(store.tradepost.db)
  store.tradepost.stopClock()
  productId = (await product(store.tradepost, {}, { ...as(), keys: keysNamed('FAULT', KEYS) })).id
})
afterAll(() => store.close())
beforeEach(shortenCalls)
afterEach(() => {
  vi.restoreAllMocks()
  store.stripe.declines = undefined
})

const as = () => ({ as: store.tradepost.test })
const post = (path: string, body: Json = {}, headers: Record<string, string> = {}) =>
  store.tradepost.post(path, body, { ...as(), headers })

/** An order, its newest payment, and the events that Stripe has for it. */
interface Sale {
  order: Json
  payment?: Json
  events?: Json[]
  subscriptionId?: number
}

interface Act {
  prepare(): Promise<Sale>
  act(sale: Sale): Promise<unknown>
  /** The acts of the caller and the buyer after it. By default the act is repeated. */
  after?(sale: Sale): Promise<unknown>
  /** Fails if the order is not what it must become. */
  check(order: Json, sale: Sale): void
}

const unpaid = async (): Promise<Sale> => {
  buyers += 1
  const customer = { email: `buyer-${buyers}@example.com` }
  return { order: await order(store.tradepost, productId, { customer }, as()) }
}

async function started(): Promise<Sale & { payment: Json }> {
  const sale = await unpaid()
  const { json, text } = await store.start(sale.order.id)
  if (!json.payment) throw new Error(text)
  return { ...sale, payment: json.payment }
}

/** A started payment whose buyer has paid at Stripe. */
async function paid(options: Json = {}): Promise<Sale & { payment: Json }> {
  const sale = await started()
  return { ...sale, events: store.stripe.pay(sale.payment.external_id, options) }
}

/** A payment that counts. */
async function counted(options: Json = {}) {
  const sale = await paid(options)
  await store.refresh(sale.payment)
  return sale
}

/** A renewal whose saved card is due to be charged. */
async function renewal(): Promise<Sale> {
  buyers += 1
  const { tradepost } = store
  const id = await subscriptionProduct(tradepost, {}, {}, as())
  const customer = { email: `buyer-${buyers}@example.com` }
  const first = await order(tradepost, id, { payment_method: 'card', customer }, as())
  const { payment } = (await store.start(first.id)).json
  store.stripe.pay(payment.external_id)
  await store.refresh(payment)
  const subscription = await subscriptionOf(tradepost, first, as())
  tradepost.forward(Date.parse(subscription.next_billing_date) - tradepost.app.clock.now())
  await runJobs(store, ['renew-subscriptions'])
  const { json } = await tradepost.get('/orders?limit=1', as())
  return { order: json.orders[0], subscriptionId: subscription.id }
}

/** The buyer pays every page that can be paid. */
function payPages({ payments }: Json): void {
  for (const { external_id, status } of payments)
    if (status === 'pending' && external_id !== null) store.stripe.pay(external_id)
}

const isDelivered = (after: Json) => {
  expect(after).toMatchObject({ status: 'completed', paid_cents: 1_000, refunded_cents: 0 })
  expect(after.deliveries[0].keys).toHaveLength(1)
}

async function startAndPay({ order: { id } }: Sale, body: Json = {}): Promise<void> {
  const { status, text } = await store.start(id, body)
  expect([200, 201], text).toContain(status)
  payPages(await store.orderOf({ order_id: id }))
}

const cancel = ({ order: { id } }: Sale) => post(`/orders/${id}/cancel`)
const refund = ({ order: { id } }: Sale) =>
  post(`/orders/${id}/refund`, { amount_cents: 600 }, { 'idempotency-key': `refund of ${id}` })
const review = (sale: Sale, decision: string) =>
  post(`/orders/${sale.order.id}/manual-payments/${sale.payment?.id}/${decision}`)
async function expire(): Promise<void> {
  store.tradepost.forward(61 * MINUTE_MS)
  await runJobs(store, ['expire-orders'])
}
/** A day passes at Stripe, which then no longer knows the keys of earlier requests. */
async function deleteKeys(): Promise<void> {
  store.stripe.actLate()
  store.stripe.deleteKeys()
  store.tradepost.forward(DAY_MS)
}
const OTHER_PAGE = { return_url: 'https://example.com/other' }

const ACTS: Record<string, Act> = {
  'a start': {
    prepare: unpaid,
    act: (sale) => store.start(sale.order.id),
    after: startAndPay,
    check: isDelivered,
  },
  'a start that is not repeated': {
    prepare: unpaid,
    act: (sale) => store.start(sale.order.id),
    after: async () => {},
    check: ({ status, paid_cents, payments }) => {
      expect([status, paid_cents]).toEqual(['expired', 0])
      for (const payment of payments) expect(['cancelled', 'failed']).toContain(payment.status)
    },
  },
  'a start that replaces a page': {
    prepare: started,
    act: (sale) => store.start(sale.order.id, OTHER_PAGE),
    after: (sale) => startAndPay(sale, OTHER_PAGE),
    check: isDelivered,
  },
  'callbacks that are applied': {
    prepare: paid,
    async act({ events = [] }) {
      await store.deliver(events)
      await runJobs(store, ['apply-payment-callbacks'])
    },
    after: async () => {},
    check: isDelivered,
  },
  'a callback of a payment with a refund and a dispute': {
    async prepare() {
      const sale = await paid()
      const events = [
        ...store.stripe.refund(sale.payment.external_id, 300),
        ...store.stripe.dispute(sale.payment.external_id, { amount: 700 }),
      ]
      return { ...sale, events }
    },
    async act({ events = [] }) {
      await store.deliver(events)
      await runJobs(store, ['apply-payment-callbacks'])
    },
    after: async () => {},
    check: (after) => {
      expect(after).toMatchObject({ paid_cents: 1_000, refunded_cents: 300, deliveries: [] })
      expect(after.payments[0].status).toBe('disputed')
    },
  },
  'an expiry': {
    prepare: started,
    act: expire,
    after: async () => {},
    check: ({ status, payments }) => {
      expect(status).toBe('expired')
      expect(['cancelled', 'expired']).toContain(payments[0].status)
    },
  },
  'an expiry of an order that was paid': {
    prepare: paid,
    act: expire,
    after: async () => {},
    check: isDelivered,
  },
  'a cancellation': {
    prepare: started,
    act: cancel,
    after: async (sale) => {
      store.stripe.misbehaviours.length = 0
      expect([200, 409]).toContain((await cancel(sale)).status)
    },
    check: ({ status, payments }) => {
      expect(status).toBe('cancelled')
      expect(['cancelled', 'expired']).toContain(payments[0].status)
    },
  },
  'a cancellation of an order that was paid': {
    prepare: paid,
    act: cancel,
    check: isDelivered,
  },
  'a refund': {
    prepare: counted,
    act: refund,
    check: (after) => {
      expect(after).toMatchObject({ status: 'completed', refunded_cents: 600 })
      expect(after.refunds).toMatchObject([{ status: 'succeeded', source: 'seller' }])
    },
  },
  'a refund whose keys Stripe deletes': {
    prepare: counted,
    act: refund,
    after: deleteKeys,
    check: (after) => {
      // A statement that fails before the commit leaves no refund.
      expect([0, 600]).toContain(after.refunded_cents)
      expect(after.refunds.length).toBe(after.refunded_cents / 600)
    },
  },
  'a rejection': {
    prepare: () => counted({ amount: 1_700 }),
    act: (sale) => review(sale, 'reject'),
    check: ({ status, paid_cents, payments }) =>
      expect([status, paid_cents, payments[0].status]).toEqual(['expired', 0, 'rejected']),
  },
  'an approval': {
    prepare: () => counted({ amount: 1_700 }),
    act: (sale) => review(sale, 'approve'),
    check: (after) => {
      expect(after).toMatchObject({ status: 'completed', paid_cents: 1_700, refunded_cents: 0 })
      expect(after.deliveries[0].keys).toHaveLength(1)
    },
  },
  'the charge of a renewal': {
    prepare: renewal,
    act: () => runJobs(store, ['check-payments']),
    after: async () => {},
    check: (after) => {
      expect(after).toMatchObject({ status: 'paid', paid_cents: 1_000 })
      expect(after.payments).toMatchObject([{ status: 'succeeded' }])
    },
  },
  'the charge of a renewal whose keys Stripe deletes': {
    prepare: renewal,
    act: () => runJobs(store, ['check-payments']),
    after: deleteKeys,
    check: (after) => {
      expect(after).toMatchObject({ status: 'paid', paid_cents: 1_000 })
      expect(after.payments).toMatchObject([{ status: 'succeeded' }])
    },
  },
  'the charge of a renewal that is cancelled': {
    prepare: renewal,
    act: () => runJobs(store, ['check-payments']),
    async after(sale) {
      const { status, text } = await cancel(sale)
      expect([200, 409], text).toContain(status)
    },
    check: ({ status, paid_cents }) => {
      expect(['paid', 'cancelled']).toContain(status)
      expect([0, 1_000]).toContain(paid_cents)
    },
  },
}

type WithFault = (work: () => Promise<unknown>) => Promise<boolean>

/** Prepares an act, runs it with a fault, lets hours pass, and compares the books. Returns false if nothing has failed. */
async function play(
  { prepare, act, after = act, check }: Act,
  withFault: WithFault,
): Promise<boolean> {
  const sale = await prepare()
  const hasFailed = await withFault(() => act(sale))
  await after(sale)
  await untilQuiet(store, sale.order.id, chance)
  const ended = await store.orderOf({ order_id: sale.order.id })
  check(ended, sale)
  expect(faultsOf(store.stripe.records, ended)).toEqual([])
  // It would be renewed in later cases.
  if (sale.subscriptionId !== undefined)
    await post(`/subscriptions/${sale.subscriptionId}/cancel`, { at_period_end: false })
  return hasFailed
}

/** Has the n-th call to Stripe fail. */
const atCall =
  (n: number, fault: Misbehaviour): WithFault =>
  async (work) => {
    const { misbehaviours } = store.stripe
    const before = Array.from({ length: n - 1 }, (): Misbehaviour => 'none')
    misbehaviours.push(...before, ...Array.from({ length: timesOf(fault) }, () => fault))
    await work()
    return misbehaviours.splice(0).length === 0
  }

/** Has the n-th statement fail. */
const atStatement =
  (n: number): WithFault =>
  async (work) =>
    (await store.tradepost.failing(n, () => work().catch(() => {}))).failed

/** Makes each call to Stripe, or each statement, of an act fail in turn. */
async function playAll(act: Act, fault: Misbehaviour | 'a statement fails'): Promise<void> {
  const [atN, max] =
    fault === 'a statement fails'
      ? [atStatement, STATEMENTS_MAX]
      : [(n: number) => atCall(n, fault), CALLS_MAX]
  let n = 1
  while (await play(act, atN(n))) {
    n += 1
    expect(n, 'the act ends').toBeLessThan(max)
  }
  expect(n, 'the act has a call').toBeGreaterThan(1)
}

const CASES = Object.entries(ACTS).flatMap(([name, act]) =>
  ([...FAULTS, 'a statement fails'] as const).map((fault) => [name, fault, act] as const),
)

/** A ninth of all cases, unless the walk is whole: they take minutes. */
const walked = walkPart(walkPart(CASES, 'faults of Stripe'), 'third of the faults of Stripe')

test.each(walked)('%s does no harm wherever it fails (%s)', (_name, fault, act) =>
  playAll(act, fault),
)

test('Stripe has no page and no charge without a payment of ours', async () => {
  const { tradepost, stripe } = store
  const { rows } = await sql<{ id: number }>`select id from payment`.execute(tradepost.db)
  const ids = rows.map(({ id }) => id)
  expect(strangersOf(stripe.records, tradepost.test.id, ids)).toEqual([])
  await expectNoFindings(store.tradepost)
})
