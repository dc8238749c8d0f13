import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import type { Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { foldSalesJob } from './index.ts'

// Random histories of a store, after each of which the summary must equal a sum over the orders.

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const DAY_DIGITS = '2026-01-01'.length

let store: StoreWithClock
let productIds: string[]

beforeAll(async () => {
  store = await openStoreWithClock(NOW)
  productIds = []
  for (const type of ['service', 'file', 'license']) {
    const { id } = await product(store.tradepost, { name: type, type }, store.as)
    productIds.push(id)
  }
})
afterAll(() => store.tradepost.close())

const STEPS = [
  'order',
  'sell',
  'pay',
  'overpay',
  'pay a part',
  'refund a part',
  'refund all',
  'cancel',
  'fold',
  'advance 37 minutes',
  'advance 23 hours',
  'merge',
] as const
interface Step {
  action: (typeof STEPS)[number]
  /** Selects the order, product or customers of the step. */
  n: number
}

/** The calls for an order. Many are refused and change nothing. */
const CALLS: Partial<Record<Step['action'], [path: string, body: Json]>> = {
  pay: ['manual-payments', {}],
  'pay a part': ['manual-payments', { amount_cents: 100 }],
  overpay: ['manual-payments', { amount_cents: 5_000 }],
  'refund a part': ['refund', { amount_cents: 50 }],
  'refund all': ['refund', {}],
  cancel: ['cancel', {}],
}

async function runStep({ action, n }: Step, ids: string[]): Promise<void> {
  const { tradepost, as } = store
  const [path, body] = CALLS[action] ?? []
  const id = ids[n % ids.length]
  if (path && id) await tradepost.post(`/orders/${id}/${path}`, body, as)
  if (action === 'order' || action === 'sell') ids.push(await buy(n, action === 'sell'))
  if (action === 'fold') await foldSalesJob.run(tradepost.app)
  if (action === 'advance 37 minutes') await store.advance('37m')
  if (action === 'advance 23 hours') await store.advance('23h')
  if (action === 'merge') await merge(n)
}

async function buy(n: number, mark_paid: boolean): Promise<string> {
  const product_id = productIds[n % productIds.length] ?? ''
  const items = [{ product_id, quantity: 1 + (n % 3) }]
  const customer = { email: `c${n % 4}@example.com`, country: n % 2 ? 'DE' : 'FR' }
  const fields = { items, customer, mark_paid }
  return (await order(store.tradepost, product_id, fields, store.as)).id
}

async function merge(n: number): Promise<void> {
  const { tradepost, as } = store
  const { json } = await tradepost.get('/customers?limit=2&sort=created_at', as)
  const [first, second] = n % 2 ? json.customers : json.customers.toReversed()
  if (second) await tradepost.post(`/customers/${first.id}/merge`, { into: second.id }, as)
}

const sum = (list: Json[], amountOf: (item: Json) => number): number =>
  list.reduce((total, item) => total + amountOf(item), 0)

/** Computes the summary from all orders. */
async function summaryFromOrders(from: string): Promise<Json> {
  const { json } = await store.tradepost.get('/orders?limit=100', store.as)
  const orders = await Promise.all(json.orders.map(({ id }: Json) => store.getOrder(id)))
  const isInPeriod = (time: string | null) => time !== null && time.slice(0, DAY_DIGITS) >= from
  const paidOrders = orders.filter(({ paid_at }) => isInPeriod(paid_at))
  const refunds = orders.filter(({ paid_at }) => paid_at !== null).flatMap(salesRefunds)
  const earlierOrders = orders.filter(({ paid_at }) => paid_at !== null && !isInPeriod(paid_at))
  const buyers = new Set(paidOrders.map((item) => item.customer.id))
  const formerBuyers = new Set(earlierOrders.map((item) => item.customer.id))
  return {
    orders_count: paidOrders.length,
    completed_count: orders.filter(({ completed_at }) => isInPeriod(completed_at)).length,
    units_sold: sum(paidOrders, ({ items }) => sum(items, ({ quantity }) => quantity)),
    gross_cents: sum(paidOrders, ({ subtotal_cents }) => subtotal_cents),
    refunded_cents: sum(
      refunds.filter(({ created_at }) => isInPeriod(created_at)),
      ({ amount_cents }) => amount_cents,
    ),
    new_customers: [...buyers].filter((id) => !formerBuyers.has(id)).length,
    returning_customers: [...buyers].filter((id) => formerBuyers.has(id)).length,
  }
}

/** Refunds that were recorded after the order had been paid in full. */
const salesRefunds = ({ refunds, status_history }: Json): Json[] => {
  const { at: paidAt } = status_history.find(({ status }: Json) => status === 'paid')
  return refunds.filter(({ created_at }: Json) => created_at > paidAt)
}

test('the summary after any history equals a sum over the orders', async () => {
  const step = fc.record({ action: fc.constantFrom(...STEPS), n: fc.nat({ max: 11 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const ids: string[] = []
      for (const item of steps) {
        await runStep(item, ids)
        // Each step has its own time.
        await store.advance('1s')
      }
      const { json } = await store.tradepost.get('/analytics/sales', store.as)
      const { summary } = json
      const { from } = summary
      expect(summary).toMatchObject(await summaryFromOrders(from))
      expect(sum(summary.series, ({ gross_cents }) => gross_cents)).toBe(summary.gross_cents)
      await store.expectNoFindings()
    }),
    { numRuns: 6 },
  )
})
