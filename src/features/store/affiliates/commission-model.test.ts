import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  conversionOf,
  openProgram,
  partner,
  partnerNow,
  sale,
} from '../../../../test/affiliates.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import { diagnose } from '../../installation/doctor/index.ts'

/** Random steps in the life of commissions, next to a model that knows only the rules. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost, { hold_days: 10, commission_percent: 10 })
})
afterAll(() => tradepost.close())

const STEPS = [
  'sell',
  'pass eleven days',
  'refund a part of the first',
  'refund all of the last',
  'reject the last',
  'accept the last',
  'request a payout',
  'send the payout',
  'reject the payout',
] as const
type Step = (typeof STEPS)[number]

interface Sold {
  id: string
  left_cents: number
  rejected: boolean
  /** True once the hold is over. */
  free: boolean
  state: 'pending' | 'available' | 'requested' | 'paid' | 'reversed' | 'none'
}

interface Model {
  sold: Sold[]
  /** Amounts that refunds took back from commissions in a payout, with the state of each one. */
  debts: { cents: number; order: string; state: 'open' | 'requested' | 'paid' }[]
  payout: { id: number; cents: number } | undefined
  paid_cents: number
}

const due = ({ left_cents, rejected }: Sold) => (rejected ? 0 : left_cents / 10)
const inPayout = ({ state }: Sold) => state === 'requested' || state === 'paid'

const availableOf = ({ sold, debts }: Model): number =>
  sold.filter(({ state }) => state === 'available').reduce((sum, item) => sum + due(item), 0) -
  debts.filter(({ state }) => state === 'open').reduce((sum, item) => sum + item.cents, 0)

function refunded(model: Model, item: Sold, cents: number): void {
  const before = due(item)
  item.left_cents -= cents
  if (inPayout(item)) {
    model.debts.push({ cents: before - due(item), order: item.id, state: 'open' })
  } else if (before > 0 && due(item) === 0) item.state = 'reversed'
}

/** Follows the rules; returns false if the call has to be refused. */
const RULES: Record<Step, (model: Model) => boolean> = {
  sell: () => true,
  'pass eleven days': ({ sold }) => {
    for (const item of sold) {
      item.free = true
      if (item.state === 'pending') item.state = 'available'
    }
    return true
  },
  'refund a part of the first': (model) => {
    const [item] = model.sold
    if (!item || item.left_cents < 100) return false
    refunded(model, item, 100)
    return true
  },
  'refund all of the last': (model) => {
    const item = model.sold.at(-1)
    if (!item || item.left_cents === 0) return false
    refunded(model, item, item.left_cents)
    return true
  },
  'reject the last': ({ sold }) => {
    const item = sold.at(-1)
    if (!item || inPayout(item)) return false
    item.rejected = true
    if (item.state !== 'reversed') item.state = 'none'
    return true
  },
  'accept the last': ({ sold }) => {
    const item = sold.at(-1)
    if (!item || inPayout(item)) return false
    if (item.rejected && item.left_cents > 0) item.state = item.free ? 'available' : 'pending'
    item.rejected = false
    return true
  },
  'request a payout': (model) => {
    const cents = availableOf(model)
    if (model.payout || cents <= 0) return false
    model.payout = { id: 0, cents }
    for (const item of model.sold) if (item.state === 'available') item.state = 'requested'
    for (const debt of model.debts) if (debt.state === 'open') debt.state = 'requested'
    return true
  },
  'send the payout': (model) => {
    if (!model.payout) return false
    model.paid_cents += model.payout.cents
    model.payout = undefined
    for (const item of model.sold) if (item.state === 'requested') item.state = 'paid'
    for (const debt of model.debts) if (debt.state === 'requested') debt.state = 'paid'
    return true
  },
  'reject the payout': (model) => {
    if (!model.payout) return false
    model.payout = undefined
    const released = model.sold.filter(({ state }) => state === 'requested')
    const ids = released.map(({ id }) => id)
    model.debts = model.debts.filter(({ state, order }) => state !== 'open' || !ids.includes(order))
    for (const item of released) item.state = due(item) > 0 ? 'available' : 'reversed'
    for (const debt of model.debts) if (debt.state === 'requested') debt.state = 'open'
    return true
  },
}

const NONE = 987_654_321

async function call(step: Step, model: Model, who: { id: string; code: string }) {
  const [first, last] = [model.sold[0]?.id, model.sold.at(-1)?.id]
  const { post } = tradepost
  const review = (status: string) => post(`/affiliates/conversions/${last}/review`, { status })
  const payouts = '/affiliates/payouts'
  const calls: Record<Step, () => Promise<{ status: number; json?: Json }>> = {
    sell: async () => {
      const { id } = await sale(tradepost, who.code)
      const sold = {
        id,
        left_cents: 1000,
        rejected: false,
        free: false,
        state: 'pending',
      } as const
      model.sold.push({ ...sold })
      return { status: 200 }
    },
    'pass eleven days': async () => {
      tradepost.forward(11 * DAY_MS)
      return { status: 200 }
    },
    'refund a part of the first': () => post(`/orders/${first}/refund`, { amount_cents: 100 }),
    'refund all of the last': () => post(`/orders/${last}/refund`),
    'reject the last': () => review('rejected'),
    'accept the last': () => review('valid'),
    'request a payout': () => post(payouts, { partner_id: who.id, method: 'cash' }),
    'send the payout': () => post(`${payouts}/${model.payout?.id ?? NONE}/send`),
    'reject the payout': () => post(`${payouts}/${model.payout?.id ?? NONE}/reject`),
  }
  return calls[step]()
}

test('any steps leave the commissions, totals and payouts that the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 6, maxLength: 16 }),
      async (steps) => {
        const who = await partner(tradepost)
        const model: Model = { sold: [], debts: [], payout: undefined, paid_cents: 0 }
        for (const step of ['sell', 'pass eleven days', ...steps] as const) {
          const answer = await call(step, model, who)
          const allowed = RULES[step](model)
          const way = `${step} of ${steps.join(', ')}`
          expect(answer.status < 300, `${way}: ${JSON.stringify(answer.json)}`).toBe(allowed)
          if (step === 'request a payout' && allowed && model.payout) {
            const { id, amount_cents } = answer.json.payout
            expect(amount_cents, way).toBe(model.payout.cents)
            model.payout.id = id
          }
          for (const item of model.sold) {
            const { commission, commission_state } = await conversionOf(tradepost, item.id)
            const expected = [due(item), item.state]
            expect([commission, commission_state], way).toEqual(expected)
          }
          expect(await partnerNow(tradepost, who.id), way).toMatchObject({
            available_cents: availableOf(model),
            earned_cents: model.sold.reduce((sum, item) => sum + due(item), 0),
            paid_cents: model.paid_cents,
          })
        }
        const { findings } = await diagnose(tradepost.app)
        expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
      },
    ),
    { numRuns: 15 },
  )
})
