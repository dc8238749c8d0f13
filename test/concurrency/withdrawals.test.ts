import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adminCommands } from '../../src/commands.ts'
import { foldWalletsJob } from '../../src/features/store/wallet/index.ts'
import { answerCommand } from '../../src/process/answer-command.ts'
import type { Json } from '../harness.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { eventCounts } from './put-on-sale.ts'

// Withdrawals under parallel calls.

const raceStore = sharedRaceStore()
const CALLS = 20
const REQUEST = { amount_cents: 3_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

const times = <T>(work: (n: number) => Promise<T>, count = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)

async function made(store: RealServer, path: string, body: Json, key: string): Promise<Json> {
  const { status, json, text } = await insist(store.targets[0], path, body, key)
  expect(status, text).toBe(201)
  return json
}

async function sell(store: RealServer, cents: number): Promise<string> {
  const fields = { name: 'Work', type: 'service', price_cents: cents }
  const { product } = await made(store, '/products', fields, 'product')
  return product.id
}

const orderOf = (product_id: string) => ({
  items: [{ product_id, quantity: 1 }],
  customer: { email: 'ada@example.com' },
  mark_paid: true,
})

const wallet = async (store: RealServer): Promise<Json> =>
  (await call(store.targets[0], 'GET', '/account/wallet')).json.wallet

test('20 withdrawals at once never take more than is available', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const product = await sell(store, 10_000)
  await made(store, '/orders', orderOf(product), 'order')
  const [replies] = await Promise.all([
    times((n) => insist(store.targets[0], '/account/withdrawals', REQUEST, `request-${n}`)),
    times(() => foldWalletsJob.run(store.app), 5),
  ])
  expect(statusesOf(replies).filter((status) => status === 201)).toHaveLength(3)
  expect(statusesOf(replies).filter((status) => status === 422)).toHaveLength(CALLS - 3)
  expect(await wallet(store)).toMatchObject({ pending_cents: 9_000, available_cents: 1_000 })
  await raceStore.expectSweepClean()
})

test('of 20 ends of one withdrawal at once one counts, and its event fires at most once', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const product = await sell(store, 10_000)
  await made(store, '/orders', orderOf(product), 'order')
  const { withdrawal } = await made(store, '/account/withdrawals', REQUEST, 'request')
  const ends: [string, Json][] = [
    ['complete', { reference: 'T' }],
    ['fail', { reason: 'No.' }],
    ['cancel', undefined],
  ]
  const replies = await times((n) => {
    const [end, body] = ends[n % ends.length] ?? ['', undefined]
    return insist(
      store.targets[0],
      `/account/withdrawals/${withdrawal.id}/${end}`,
      body,
      `end-${n}`,
    )
  })
  const [won, ...more] = replies.filter(({ status }) => status === 200)
  expect(more).toEqual([])
  const sent = won?.json.withdrawal.status === 'completed'
  expect((await eventCounts(store))['withdrawal.completed'] ?? 0).toBe(sent ? 1 : 0)
  expect(await wallet(store)).toMatchObject({
    pending_cents: 0,
    withdrawn_cents: sent ? 3_000 : 0,
    available_cents: sent ? 7_000 : 10_000,
  })
  await raceStore.expectSweepClean()
})

test('payments and refunds while wallets are folded and withdrawn from are each counted once', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const product = await sell(store, 1_000)
  await Promise.all([
    times(async (n) => {
      const { order } = await made(store, '/orders', orderOf(product), `order-${n}`)
      const path = `/orders/${order.id}/refund`
      await made(store, path, { amount_cents: 400 }, `refund-${n}`)
    }),
    times(() => foldWalletsJob.run(store.app), 10),
    times((n) =>
      insist(store.targets[0], '/account/withdrawals', { ...REQUEST, amount_cents: 10 }, `w-${n}`),
    ),
  ])
  const { paid_cents, refunded_cents } = await wallet(store)
  expect([paid_cents, refunded_cents]).toEqual([CALLS * 1_000, CALLS * 400])
  await raceStore.expectSweepClean()
  while (await foldWalletsJob.run(store.app)) {}
  const { rows } = await sql`
    select paid_cents, refunded_cents from wallet where store_id = ${store.storeId}`.execute(
    store.app.db,
  )
  expect(rows).toEqual([{ paid_cents: CALLS * 1_000, refunded_cents: CALLS * 400 }])
  await raceStore.expectSweepClean()
})

test('a wallet that is repaired while it is paid into, folded and withdrawn from ends right', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const [target] = store.targets
  const product = await sell(store, 1_000)
  await made(store, '/orders', orderOf(product), 'order')
  while (await foldWalletsJob.run(store.app)) {}
  await sql`
    update wallet set paid_cents = paid_cents + 7, withdrawn_cents = 3
     where store_id = ${store.storeId}`.execute(store.app.db)
  const repair = { command: 'wallet repair', input: { store: target.store } }
  await Promise.all([
    times((n) => made(store, '/orders', orderOf(product), `order-${n}`)),
    times((n) =>
      insist(target, '/account/withdrawals', { ...REQUEST, amount_cents: 10 }, `w-${n}`),
    ),
    times(() => foldWalletsJob.run(store.app), 10),
    times(() => answerCommand(store.app, adminCommands, repair), 10),
  ])
  expect(await wallet(store)).toMatchObject({
    paid_cents: (CALLS + 1) * 1_000,
    withdrawn_cents: 0,
  })
  await raceStore.expectSweepClean()
})
