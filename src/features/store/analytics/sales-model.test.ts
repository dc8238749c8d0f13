import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
import { foldSalesJob } from './index.ts'

/** Random histories of a store. After each, the sums equal what the orders say, and doctor agrees. */

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const DAY_DIGITS = '2026-01-01'.length

let store: Clocked
let games: string[]

beforeAll(async () => {
  store = await openClocked(NOW)
  games = []
  for (const type of ['service', 'file', 'license']) {
    const { id } = await product(store.tradepost, { name: type, type }, store.as)
    games.push(id)
  }
})
afterAll(() => store.tradepost.close())

const STEPS = [
  'order',
  'sell',
  'pay',
  'overpay',
  'part',
  'refund',
  'refund all',
  'cancel',
  'fold',
  'hour',
  'day',
  'merge',
] as const
interface Step {
  act: (typeof STEPS)[number]
  n: number
}

/** Calls about an order. Many are refused, which changes nothing. */
const CALLS: Partial<Record<Step['act'], [path: string, body: Json]>> = {
  pay: ['manual-payments', {}],
  part: ['manual-payments', { amount_cents: 100 }],
  overpay: ['manual-payments', { amount_cents: 5_000 }],
  refund: ['refund', { amount_cents: 50 }],
  'refund all': ['refund', {}],
  cancel: ['cancel', {}],
}

async function take({ act, n }: Step, ids: string[]): Promise<void> {
  const { tradepost, as } = store
  const [path, body] = CALLS[act] ?? []
  const id = ids[n % ids.length]
  if (path && id) await tradepost.post(`/orders/${id}/${path}`, body, as)
  if (act === 'order' || act === 'sell') ids.push(await buy(n, act === 'sell'))
  if (act === 'fold') await foldSalesJob.run(tradepost.app)
  if (act === 'hour') await store.advance('37m')
  if (act === 'day') await store.advance('23h')
  if (act === 'merge') await merge(n)
}

async function buy(n: number, mark_paid: boolean): Promise<string> {
  const product_id = games[n % games.length] ?? ''
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

/** The same summary, computed from the whole orders. */
async function recomputed(from: string): Promise<Json> {
  const { json } = await store.tradepost.get('/orders?limit=100', store.as)
  const all = await Promise.all(json.orders.map(({ id }: Json) => store.order(id)))
  const on = (at: string | null) => at !== null && at.slice(0, DAY_DIGITS) >= from
  const sum = (list: Json[], of: (item: Json) => number) =>
    list.reduce((total, item) => total + of(item), 0)
  const paid = all.filter(({ paid_at }) => on(paid_at))
  const refunds = all.filter(({ paid_at }) => paid_at !== null).flatMap(salesRefunds)
  const before = all.filter(({ paid_at }) => paid_at !== null && !on(paid_at))
  const buyers = new Set(paid.map((item) => item.customer.id))
  const former = new Set(before.map((item) => item.customer.id))
  return {
    orders_count: paid.length,
    completed_count: all.filter(({ completed_at }) => on(completed_at)).length,
    units_sold: sum(paid, ({ items }) => sum(items, ({ quantity }) => quantity)),
    gross_cents: sum(paid, ({ subtotal_cents }) => subtotal_cents),
    refunded_cents: sum(
      refunds.filter(({ created_at }) => on(created_at)),
      ({ amount_cents }) => amount_cents,
    ),
    new_customers: [...buyers].filter((id) => !former.has(id)).length,
    returning_customers: [...buyers].filter((id) => former.has(id)).length,
  }
}

/** Refunds that were recorded after the order had been paid in full. */
const salesRefunds = ({ refunds, status_history }: Json): Json[] => {
  const { at } = status_history.find(({ status }: Json) => status === 'paid')
  return refunds.filter(({ created_at }: Json) => created_at > at)
}

test('after any history the summary is what the orders say', async () => {
  const step = fc.record({ act: fc.constantFrom(...STEPS), n: fc.nat({ max: 11 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const ids: string[] = []
      for (const item of steps) {
        await take(item, ids)
        // Each step has a moment of its own.
        await store.advance('1s')
      }
      const { json } = await store.tradepost.get('/analytics/sales', store.as)
      const { summary } = json
      const { from } = summary
      expect(summary).toMatchObject(await recomputed(from))
      expect(summary.series.map((row: Json) => row.gross_cents).reduce(add, 0)).toBe(
        summary.gross_cents,
      )
      await store.isSound()
    }),
    { numRuns: 6 },
  )
})

const add = (a: number, b: number): number => a + b
