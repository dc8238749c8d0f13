import { expect, test } from 'vitest'
import { type Chance, chanceOf, SEED } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { call, callUntilServed, expectStatus, type Reply } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

// Random calls that change commissions, compared with a model that is computed from their answers.

const ACTORS = 6
const STEPS = 25
const SALES = 8
const PRICE_CENTS = 1_000
const REFUND_CENTS = 100
/** The statuses of the expected refusals: the payout has ended, or there is nothing to pay or refund. */
const REFUSALS = [409, 422]

const database = sharedDatabase({ allowsLockTimeouts: true })

/** The amounts that the answers acknowledged. */
interface Model {
  /** Refunded amounts by order. */
  refunded: Map<string, number>
  /** The amounts and outcomes of the requested payouts. */
  payouts: Map<number, { cents: number; end?: 'sent' | 'rejected' }>
}

interface Programme {
  tradepost: ServedStore
  partnerId: string
  productId: string
  model: Model
}

const send = ({ tradepost }: Programme, path: string, body: Json = {}): Promise<Reply> =>
  callUntilServed(tradepost.targets[0], 'POST', path, { body })

test('concurrent sales, refunds, reviews and payouts leave the correct commissions and balances', async (context) => {
  const programme = await openProgramme(await database.openStore(context))
  for (let n = 0; n < SALES; n++) await sell(programme, `first-${n}`)
  await Promise.all(
    Array.from({ length: ACTORS }, (_, n) =>
      act(programme, n, chanceOf(`commissions, actor ${n}`)),
    ),
  )

  const { refunded, payouts } = programme.model
  const conversions = await listConversions(programme)
  const commissions = conversions.map(({ invoice_id, commission }) => [invoice_id, commission])
  const expectedCommissions = conversions.map(({ invoice_id, status }) => [
    invoice_id,
    status === 'rejected' ? 0 : (PRICE_CENTS - (refunded.get(invoice_id) ?? 0)) / 10,
  ])
  expect(commissions, `SEED=${SEED}`).toEqual(expectedCommissions)
  expect(conversions).toHaveLength(refunded.size)

  const { json } = await call(
    programme.tradepost.targets[0],
    'GET',
    `/affiliates/partners/${programme.partnerId}`,
  )
  const { earned_cents, paid_cents, available_cents, pending_cents } = json.partner
  const sumOf = (end?: string) =>
    [...payouts.values()]
      .filter((payout) => payout.end === end)
      .reduce((sum, { cents }) => sum + cents, 0)
  expect(paid_cents, `SEED=${SEED}`).toBe(sumOf('sent'))
  expect(earned_cents).toBe(conversions.reduce((sum, item) => sum + item.commission, 0))
  expect(available_cents + pending_cents).toBe(earned_cents - sumOf('sent') - sumOf())
  await database.expectNoFaults(`SEED=${SEED}`)
})

/** Opens a programme without a hold, and a partner who earns 1.00 from each sale of the product. */
async function openProgramme(tradepost: ServedStore): Promise<Programme> {
  const model = { refunded: new Map(), payouts: new Map() }
  const programme = { tradepost, partnerId: '', productId: '', model }
  const terms = { enabled: true, hold_days: 0, min_payout_cents: 0 }
  expectStatus(await call(tradepost.targets[0], 'PATCH', '/affiliates/program', { body: terms }))
  const body = { email: 'grace@example.com' }
  const { partner } = expectStatus(await send(programme, '/affiliates/partners', body)).json
  expectStatus(await send(programme, `/affiliates/partners/${partner.id}/links`, { code: 'grace' }))
  const editor = { name: 'Editor', type: 'license', price_cents: PRICE_CENTS }
  const { product } = expectStatus(await send(programme, '/products', editor)).json
  return { ...programme, partnerId: partner.id, productId: product.id }
}

async function sell(programme: Programme, buyer: string): Promise<void> {
  const { json } = expectStatus(
    await send(programme, '/orders', {
      items: [{ product_id: programme.productId, quantity: 1 }],
      customer: { email: `${buyer}@example.com` },
      affiliate_code: 'grace',
      mark_paid: true,
    }),
  )
  programme.model.refunded.set(json.order.id, 0)
}

/** Makes random calls one after the other, and records the acknowledged ones in the model. */
async function act(programme: Programme, actor: number, random: Chance): Promise<void> {
  const { refunded, payouts } = programme.model
  const pickRandom = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const pickOrder = () => pickRandom([...refunded.keys()])

  async function refund(body: Json): Promise<void> {
    const id = pickOrder()
    const reply = expectStatus(await send(programme, `/orders/${id}/refund`, body), ...REFUSALS)
    if (reply.status > 299) return
    refunded.set(id, (refunded.get(id) ?? 0) + reply.json.refund.amount_cents)
  }

  const calls: ((step: number) => Promise<unknown>)[] = [
    (step) => sell(programme, `buyer-${actor}-${step}`),
    () => refund({ amount_cents: REFUND_CENTS }),
    () => refund({ amount_cents: 2 * REFUND_CENTS }),
    async () => {
      const path = `/affiliates/conversions/${pickOrder()}/review`
      const status = random() < 0.4 ? 'rejected' : 'valid'
      expectStatus(await send(programme, path, { status }), ...REFUSALS)
    },
    async () => {
      const body = { partner_id: programme.partnerId, method: 'bank_transfer' }
      const { status, json } = expectStatus(
        await send(programme, '/affiliates/payouts', body),
        ...REFUSALS,
      )
      if (status < 300) payouts.set(json.payout.id, { cents: json.payout.amount_cents })
    },
    async () => {
      const openPayouts = [...payouts].filter(([, { end }]) => end === undefined)
      if (openPayouts.length === 0) return
      const [id, payout] = pickRandom(openPayouts)
      const [verb, end] =
        random() < 0.5 ? (['send', 'sent'] as const) : (['reject', 'rejected'] as const)
      const reply = expectStatus(
        await send(programme, `/affiliates/payouts/${id}/${verb}`),
        ...REFUSALS,
      )
      if (reply.status < 300) payout.end = end
    },
  ]
  for (let step = 0; step < STEPS; step++) await pickRandom(calls)(step)
}

async function listConversions({ tradepost }: Programme): Promise<Json[]> {
  const conversions: Json[] = []
  let cursor = ''
  do {
    const path = `/affiliates/conversions?limit=25${cursor}`
    const { json } = await call(tradepost.targets[0], 'GET', path)
    conversions.push(...json.conversions)
    cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`
  } while (cursor !== '')
  return conversions
}
