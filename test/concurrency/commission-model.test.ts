import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call, type Reply } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { randomBy } from './random.ts'

// The life of commissions, compared with a model that knows the answers only.

const ACTORS = 6
const STEPS = 25
const SALES = 8
const PRICE = 1_000
const PART = 100
/** A payout that was ended meanwhile, nothing to pay, and an order without anything left to refund. */
const REFUSALS = [409, 422]

const raceStore = sharedRaceStore()

interface Books {
  /** Refunded amounts by order. */
  refunded: Map<string, number>
  /** The amounts of requested payouts, and how each one ended. */
  payouts: Map<number, { cents: number; end?: 'sent' | 'rejected' }>
}

interface Programme {
  tradepost: RealServer
  partnerId: string
  productId: string
  books: Books
}

const send = ({ tradepost }: Programme, path: string, body: Json = {}): Promise<Reply> =>
  call(tradepost.targets[0], 'POST', path, { body })

function allow(reply: Reply, ...others: number[]): Reply {
  expect([200, 201, ...others], reply.text).toContain(reply.status)
  return reply
}

test('commissions that are sold, refunded, reviewed and paid in parallel are all accounted for', async (context) => {
  const programme = await openProgramme(await raceStore.openStoreFixture(context))
  const seed = Math.floor(Math.random() * 2 ** 31)
  for (let n = 0; n < SALES; n++) await sell(programme, `first-${n}`)
  await Promise.all(Array.from({ length: ACTORS }, (_, n) => act(programme, n, seed + n)))

  const { refunded, payouts } = programme.books
  const conversions = await conversionsOf(programme)
  const commissions = conversions.map(({ invoice_id, commission }) => [invoice_id, commission])
  const due = conversions.map(({ invoice_id, status }) => [
    invoice_id,
    status === 'rejected' ? 0 : (PRICE - (refunded.get(invoice_id) ?? 0)) / 10,
  ])
  expect(commissions, `seed ${seed}`).toEqual(due)
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
  expect(paid_cents, `seed ${seed}`).toBe(sumOf('sent'))
  expect(earned_cents).toBe(conversions.reduce((sum, item) => sum + item.commission, 0))
  expect(available_cents + pending_cents).toBe(earned_cents - sumOf('sent') - sumOf())
  await raceStore.expectSweepClean(`seed ${seed}`)
})

/** A programme without a hold, and a partner who earns 1.00 from each sale of the product. */
async function openProgramme(tradepost: RealServer): Promise<Programme> {
  const books = { refunded: new Map(), payouts: new Map() }
  const programme = { tradepost, partnerId: '', productId: '', books }
  const terms = { enabled: true, hold_days: 0, min_payout_cents: 0 }
  allow(await call(tradepost.targets[0], 'PATCH', '/affiliates/program', { body: terms }))
  const body = { email: 'grace@example.com' }
  const { partner } = allow(await send(programme, '/affiliates/partners', body)).json
  allow(await send(programme, `/affiliates/partners/${partner.id}/links`, { code: 'grace' }))
  const editor = { name: 'Editor', type: 'license', price_cents: PRICE }
  const { product } = allow(await send(programme, '/products', editor)).json
  return { ...programme, partnerId: partner.id, productId: product.id }
}

async function sell(programme: Programme, buyer: string): Promise<void> {
  const { json } = allow(
    await send(programme, '/orders', {
      items: [{ product_id: programme.productId, quantity: 1 }],
      customer: { email: `${buyer}@example.com` },
      affiliate_code: 'grace',
      mark_paid: true,
    }),
  )
  programme.books.refunded.set(json.order.id, 0)
}

/** One call after the other, chosen by chance; acknowledged calls go into the model. */
async function act(programme: Programme, actor: number, seed: number): Promise<void> {
  const random = randomBy(seed)
  const { refunded, payouts } = programme.books
  const oneOf = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const anOrder = () => oneOf([...refunded.keys()])

  async function refund(body: Json): Promise<void> {
    const id = anOrder()
    const reply = allow(await send(programme, `/orders/${id}/refund`, body), ...REFUSALS)
    if (reply.status > 299) return
    refunded.set(id, (refunded.get(id) ?? 0) + reply.json.refund.amount_cents)
  }

  const deeds: ((step: number) => Promise<unknown>)[] = [
    (step) => sell(programme, `buyer-${actor}-${step}`),
    () => refund({ amount_cents: PART }),
    () => refund({ amount_cents: 2 * PART }),
    async () => {
      const path = `/affiliates/conversions/${anOrder()}/review`
      const status = random() < 0.4 ? 'rejected' : 'valid'
      allow(await send(programme, path, { status }), ...REFUSALS)
    },
    async () => {
      const body = { partner_id: programme.partnerId, method: 'bank_transfer' }
      const { status, json } = allow(
        await send(programme, '/affiliates/payouts', body),
        ...REFUSALS,
      )
      if (status < 300) payouts.set(json.payout.id, { cents: json.payout.amount_cents })
    },
    async () => {
      const open = [...payouts].filter(([, { end }]) => end === undefined)
      if (open.length === 0) return
      const [id, payout] = oneOf(open)
      const [verb, end] =
        random() < 0.5 ? (['send', 'sent'] as const) : (['reject', 'rejected'] as const)
      const reply = allow(await send(programme, `/affiliates/payouts/${id}/${verb}`), ...REFUSALS)
      if (reply.status < 300) payout.end = end
    },
  ]
  for (let step = 0; step < STEPS; step++) await oneOf(deeds)(step)
}

async function conversionsOf({ tradepost }: Programme): Promise<Json[]> {
  const all: Json[] = []
  let cursor = ''
  do {
    const path = `/affiliates/conversions?x=1${cursor}`
    const { json } = await call(tradepost.targets[0], 'GET', path)
    all.push(...json.conversions)
    cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`
  } while (cursor !== '')
  return all
}
