import { expect, test } from 'vitest'
import { keysNamed } from '../build.ts'
import { chanceOf } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { call, expectStatus, type Target } from '../process/client.ts'
import { createMigratedInstallation, type Server } from '../process/spawn-server.ts'
import { type FakeStripe, startFakeStripe } from '../providers/stripe.ts'
import { booksAgree } from '../providers/stripe-books.ts'
import { CREDENTIALS } from '../providers/stripe-store.ts'
import { elapse, until } from '../until.ts'
import { IS_WHOLE } from '../walks.ts'
import { failedChecks, unlimitedKey } from './installation.ts'
import { createPayingBuyers, type PayingBuyers } from './paying-buyers.ts'

/** KILLS=50 runs fifty. */
const KILLS = Number(process.env.KILLS ?? (IS_WHOLE ? 10 : 2))
const STOCK = 4_000
const SUBSCRIPTIONS = 5
const PAGE = 100

const chance = chanceOf('kills while money moves')
const post = async (target: Target, path: string, body: Json = {}): Promise<Json> =>
  expectStatus(await call(target, 'POST', path, { body })).json

test('kill -9 while cards are charged and refunded leaves no money without an owner, and none twice', async () => {
  const stripe = await startFakeStripe()
  const installation = await createMigratedInstallation({ TRADEPOST_STRIPE_URL: stripe.url })
  try {
    let server = await installation.start()
    const key = await unlimitedKey(installation, server, server.test)
    const targetNow = (): Target => ({ origin: server.origin, store: server.test.id, key })
    const path = '/account/payment-providers/stripe'
    expectStatus(await call(targetNow(), 'PUT', path, { body: CREDENTIALS }))
    const buyers = createPayingBuyers(stripe, await createStockedProduct(targetNow()))
    await subscribeAll(targetNow(), stripe)

    for (let kill = 1; kill <= KILLS; kill += 1) {
      buyers.start(targetNow())
      await buyers.untilRefunded(10)
      // Every subscription is renewed, and every unpaid order expires.
      const renewals = post(targetNow(), '/account/test-clock', { advance: '32d' }).catch(() => {})
      await killOnce(server, stripe)
      await Promise.all([buyers.stop(), renewals])
      server = await installation.start()
      await buyers.repeat(targetNow())
      expect(buyers.faults).toEqual([])
    }
    await untilQuiet(targetNow(), stripe, buyers)
    await expectBooksAgree(targetNow(), stripe, buyers)
    expect(await failedChecks(installation)).toEqual([])
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await stripe.close()
  }
})

/** Kills the server at a random time, or while it waits for the answer to a call that has acted at Stripe. */
async function killOnce(server: Server, stripe: FakeStripe): Promise<void> {
  const kill = () => server.signal('SIGKILL')
  if (chance() < 0.4) {
    await elapse(chance() * 500)
    kill()
  } else {
    let callsBefore = chance.below(12)
    stripe.beforeAnswer = () => {
      callsBefore -= 1
      if (callsBefore < 0) kill()
    }
  }
  expect(await server.ended).toBe('SIGKILL')
  stripe.beforeAnswer = undefined
}

async function createStockedProduct(target: Target): Promise<string> {
  const { product, variants } = await post(target, '/products', { name: 'Game', price_cents: 500 })
  const keys = keysNamed('PAID-ABCDEFGH', STOCK)
  await post(target, `/products/${product.id}/variants/${variants[0].id}/keys`, { keys })
  return product.id
}

/** Starts subscriptions whose cards are saved, and charged every month. */
async function subscribeAll(target: Target, stripe: FakeStripe): Promise<void> {
  const fields = { name: 'Club', type: 'service', product_kind: 'subscription', price_cents: 900 }
  const { product } = await post(target, '/products', fields)
  const billing = { billing_cycle: 'monthly' }
  expectStatus(await call(target, 'PUT', `/products/${product.id}/billing`, { body: billing }))
  for (let n = 1; n <= SUBSCRIPTIONS; n += 1) {
    const items = [{ product_id: product.id, quantity: 1 }]
    const customer = { email: `member-${n}@example.com` }
    const body = { items, customer, payment_method: 'card' }
    const { order } = await post(target, '/orders', body)
    const { payment } = await post(target, `/orders/${order.id}/payments`, { method: 'card' })
    stripe.pay(payment.external_id)
    await post(target, `/orders/${order.id}/payments/${payment.id}/refresh`)
  }
}

/** Sends all callbacks again, and lets hours pass by the clock of the store, in which every job runs. */
async function untilQuiet(target: Target, stripe: FakeStripe, buyers: PayingBuyers): Promise<void> {
  await buyers.deliver(target, chance.shuffle(stripe.reportAll()))
  const waiting = '/account/payment-callbacks?status=received&limit=1'
  await until(async () => {
    await post(target, '/account/test-clock', { advance: '2h' })
    return (await call(target, 'GET', waiting)).json.payment_callbacks.length === 0
  })
  for (const advance of ['2h', '1d']) await post(target, '/account/test-clock', { advance })
}

async function expectBooksAgree(
  target: Target,
  { records }: FakeStripe,
  buyers: PayingBuyers,
): Promise<void> {
  const orders = await allOrders(target)
  const paymentIds = orders.flatMap(({ payments }) => payments.map(({ id }: Json) => id))
  booksAgree(records, { hash: target.store, orders, paymentIds })
  const refundIds = orders.flatMap(({ refunds }) => refunds.map(({ id }: Json) => id))
  expect([...buyers.refunds].filter((id) => !refundIds.includes(id))).toEqual([])
  // Stripe charged renewals, and refunds were made.
  expect([...records.intents.values()].some(({ customer }) => customer)).toBe(true)
  expect(records.refunds.size).toBeGreaterThan(0)
}

async function allOrders(target: Target): Promise<Json[]> {
  const orders: Json[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { json } = await call(target, 'GET', `/orders?limit=${PAGE}&offset=${offset}`)
    for (const { id } of json.orders)
      orders.push((await call(target, 'GET', `/orders/${id}`)).json.order)
    if (json.orders.length < PAGE) return orders
  }
}
