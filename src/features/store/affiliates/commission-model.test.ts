import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  conversionOf,
  getPartner,
  openProgram,
  partner,
  sale,
} from '../../../../test/affiliates.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'

// Random calls that change commissions, compared with a model that has only the rules.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost, { hold_days: 10, commission_percent: 10 })
})
afterAll(() => tradepost.close())

const STEPS = [
  'sell',
  'pass eleven days',
  'refund a part of the first sale',
  'refund all of the last sale',
  'reject the last sale',
  'accept the last sale',
  'request a payout',
  'send the payout',
  'reject the payout',
] as const
type Step = (typeof STEPS)[number]

interface SoldOrder {
  id: string
  remaining_cents: number
  isRejected: boolean
  /** True once the hold period has ended. */
  isHoldOver: boolean
  state: 'pending' | 'available' | 'requested' | 'paid' | 'reversed' | 'none'
}

interface Model {
  soldOrders: SoldOrder[]
  /** Amounts that refunds subtracted from commissions in a payout, with the state of each amount. */
  debts: { cents: number; order: string; state: 'open' | 'requested' | 'paid' }[]
  payout: { id: number; cents: number } | undefined
  paid_cents: number
}

const commissionCents = ({ remaining_cents, isRejected }: SoldOrder) =>
  isRejected ? 0 : remaining_cents / 10
const isInPayout = ({ state }: SoldOrder) => state === 'requested' || state === 'paid'

const availableCents = ({ soldOrders, debts }: Model): number =>
  soldOrders
    .filter(({ state }) => state === 'available')
    .reduce((sum, item) => sum + commissionCents(item), 0) -
  debts.filter(({ state }) => state === 'open').reduce((sum, item) => sum + item.cents, 0)

function applyRefund(model: Model, item: SoldOrder, cents: number): void {
  const before = commissionCents(item)
  item.remaining_cents -= cents
  if (isInPayout(item)) {
    model.debts.push({ cents: before - commissionCents(item), order: item.id, state: 'open' })
  } else if (before > 0 && commissionCents(item) === 0) item.state = 'reversed'
}

/** Applies a step to the model. Returns false if the call must be refused. */
const MODEL_STEPS: Record<Step, (model: Model) => boolean> = {
  sell: () => true,
  'pass eleven days': ({ soldOrders }) => {
    for (const item of soldOrders) {
      item.isHoldOver = true
      if (item.state === 'pending') item.state = 'available'
    }
    return true
  },
  'refund a part of the first sale': (model) => {
    const [item] = model.soldOrders
    if (!item || item.remaining_cents < 100) return false
    applyRefund(model, item, 100)
    return true
  },
  'refund all of the last sale': (model) => {
    const item = model.soldOrders.at(-1)
    if (!item || item.remaining_cents === 0) return false
    applyRefund(model, item, item.remaining_cents)
    return true
  },
  'reject the last sale': ({ soldOrders }) => {
    const item = soldOrders.at(-1)
    if (!item || isInPayout(item)) return false
    item.isRejected = true
    if (item.state !== 'reversed') item.state = 'none'
    return true
  },
  'accept the last sale': ({ soldOrders }) => {
    const item = soldOrders.at(-1)
    if (!item || isInPayout(item)) return false
    if (item.isRejected && item.remaining_cents > 0)
      item.state = item.isHoldOver ? 'available' : 'pending'
    item.isRejected = false
    return true
  },
  'request a payout': (model) => {
    const cents = availableCents(model)
    if (model.payout || cents <= 0) return false
    model.payout = { id: 0, cents }
    for (const item of model.soldOrders) if (item.state === 'available') item.state = 'requested'
    for (const debt of model.debts) if (debt.state === 'open') debt.state = 'requested'
    return true
  },
  'send the payout': (model) => {
    if (!model.payout) return false
    model.paid_cents += model.payout.cents
    model.payout = undefined
    for (const item of model.soldOrders) if (item.state === 'requested') item.state = 'paid'
    for (const debt of model.debts) if (debt.state === 'requested') debt.state = 'paid'
    return true
  },
  'reject the payout': (model) => {
    if (!model.payout) return false
    model.payout = undefined
    const releasedOrders = model.soldOrders.filter(({ state }) => state === 'requested')
    const releasedIds = releasedOrders.map(({ id }) => id)
    model.debts = model.debts.filter(
      ({ state, order }) => state !== 'open' || !releasedIds.includes(order),
    )
    for (const item of releasedOrders)
      item.state = commissionCents(item) > 0 ? 'available' : 'reversed'
    for (const debt of model.debts) if (debt.state === 'requested') debt.state = 'open'
    return true
  },
}

const UNKNOWN_PAYOUT = 987_654_321

async function runStep(step: Step, model: Model, affiliate: { id: string; code: string }) {
  const [first, last] = [model.soldOrders[0]?.id, model.soldOrders.at(-1)?.id]
  const { post } = tradepost
  const review = (status: string) => post(`/affiliates/conversions/${last}/review`, { status })
  const payouts = '/affiliates/payouts'
  const calls: Record<Step, () => Promise<{ status: number; json?: Json }>> = {
    sell: async () => {
      const { id } = await sale(tradepost, affiliate.code)
      model.soldOrders.push({
        id,
        remaining_cents: 1000,
        isRejected: false,
        isHoldOver: false,
        state: 'pending',
      })
      return { status: 200 }
    },
    'pass eleven days': async () => {
      tradepost.forward(11 * DAY_MS)
      return { status: 200 }
    },
    'refund a part of the first sale': () => post(`/orders/${first}/refund`, { amount_cents: 100 }),
    'refund all of the last sale': () => post(`/orders/${last}/refund`),
    'reject the last sale': () => review('rejected'),
    'accept the last sale': () => review('valid'),
    'request a payout': () => post(payouts, { partner_id: affiliate.id, method: 'cash' }),
    'send the payout': () => post(`${payouts}/${model.payout?.id ?? UNKNOWN_PAYOUT}/send`),
    'reject the payout': () => post(`${payouts}/${model.payout?.id ?? UNKNOWN_PAYOUT}/reject`),
  }
  return calls[step]()
}

test('any sequence of steps leads to the commissions, totals and payouts of the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 6, maxLength: 16 }),
      async (steps) => {
        const affiliate = await partner(tradepost)
        const model: Model = { soldOrders: [], debts: [], payout: undefined, paid_cents: 0 }
        for (const step of ['sell', 'pass eleven days', ...steps] as const) {
          const answer = await runStep(step, model, affiliate)
          const isAllowed = MODEL_STEPS[step](model)
          const message = `${step} of ${steps.join(', ')}`
          expect(answer.status < 300, `${message}: ${JSON.stringify(answer.json)}`).toBe(isAllowed)
          if (step === 'request a payout' && isAllowed && model.payout) {
            const { id, amount_cents } = answer.json.payout
            expect(amount_cents, message).toBe(model.payout.cents)
            model.payout.id = id
          }
          for (const item of model.soldOrders) {
            const { commission, commission_state } = await conversionOf(tradepost, item.id)
            const expected = [commissionCents(item), item.state]
            expect([commission, commission_state], message).toEqual(expected)
          }
          expect(await getPartner(tradepost, affiliate.id), message).toMatchObject({
            available_cents: availableCents(model),
            earned_cents: model.soldOrders.reduce((sum, item) => sum + commissionCents(item), 0),
            paid_cents: model.paid_cents,
          })
        }
        await expectNoFindings(tradepost)
      },
    ),
    { numRuns: 15 },
  )
})
