import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adminCommands } from '../../src/commands.ts'
import { foldWalletsJob } from '../../src/features/store/wallet/index.ts'
import { answerCommand } from '../../src/process/answer-command.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { postSuccessfully } from './post-successfully.ts'
import { eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

// Concurrent calls that change withdrawals and wallets.

const database = sharedDatabase()
const CALLS = 20
const REQUEST = { amount_cents: 3_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

const runConcurrently = <T>(work: (n: number) => Promise<T>, count = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)

async function createService(store: ServedStore, cents: number): Promise<string> {
  const fields = { name: 'Work', type: 'service', price_cents: cents }
  const { product } = await postSuccessfully(store, '/products', fields)
  return product.id
}

const orderOf = (product_id: string) => ({
  items: [{ product_id, quantity: 1 }],
  customer: { email: 'ada@example.com' },
  mark_paid: true,
})

const getWallet = async (store: ServedStore): Promise<Json> =>
  (await call(store.targets[0], 'GET', '/account/wallet')).json.wallet

test('three of 20 concurrent withdrawals of 30.00 from 100.00 are accepted, and the others are refused', async (context) => {
  const store = await database.openStore(context)
  const product = await createService(store, 10_000)
  await postSuccessfully(store, '/orders', orderOf(product))
  const [replies] = await Promise.all([
    runConcurrently((n) =>
      postUntilAnswered(store.targets[0], '/account/withdrawals', REQUEST, `request-${n}`),
    ),
    runConcurrently(() => foldWalletsJob.run(store.app), 5),
  ])
  expect(statusesOf(replies).filter((status) => status === 201)).toHaveLength(3)
  expect(statusesOf(replies).filter((status) => status === 422)).toHaveLength(CALLS - 3)
  expect(await getWallet(store)).toMatchObject({ pending_cents: 9_000, available_cents: 1_000 })
  await database.expectNoFaults()
})

test('a withdrawal that 20 concurrent calls complete, fail or cancel has one outcome', async (context) => {
  const store = await database.openStore(context)
  const product = await createService(store, 10_000)
  await postSuccessfully(store, '/orders', orderOf(product))
  const { withdrawal } = await postSuccessfully(store, '/account/withdrawals', REQUEST)
  const endCalls: [string, Json][] = [
    ['complete', { reference: 'T' }],
    ['fail', { reason: 'No.' }],
    ['cancel', undefined],
  ]
  const replies = await runConcurrently((n) => {
    const [step, body] = endCalls[n % endCalls.length] ?? ['', undefined]
    return postUntilAnswered(
      store.targets[0],
      `/account/withdrawals/${withdrawal.id}/${step}`,
      body,
      `end-${n}`,
    )
  })
  const [successful, ...otherSuccesses] = replies.filter(({ status }) => status === 200)
  expect(otherSuccesses).toEqual([])
  const isCompleted = successful?.json.withdrawal.status === 'completed'
  expect((await eventCounts(store))['withdrawal.completed'] ?? 0).toBe(isCompleted ? 1 : 0)
  expect(await getWallet(store)).toMatchObject({
    pending_cents: 0,
    withdrawn_cents: isCompleted ? 3_000 : 0,
    available_cents: isCompleted ? 7_000 : 10_000,
  })
  await database.expectNoFaults()
})

test('a withdrawal that is concurrently cancelled and marked as processing has one outcome', async (context) => {
  const store = await database.openStore(context)
  const product = await createService(store, 100_000)
  await postSuccessfully(store, '/orders', orderOf(product))
  const outcomes = await runConcurrently(async (n) => {
    const { withdrawal } = await postSuccessfully(store, '/account/withdrawals', REQUEST)
    const path = `/account/withdrawals/${withdrawal.id}`
    const replies = await Promise.all(
      ['process', 'cancel', 'process', 'cancel'].map((step, i) =>
        postUntilAnswered(store.targets[0], `${path}/${step}`, undefined, `${step}-${n}-${i}`),
      ),
    )
    const [successful, ...otherSuccesses] = replies.filter(({ status }) => status === 200)
    expect(otherSuccesses).toEqual([])
    const { status } = successful?.json.withdrawal ?? {}
    for (const reply of replies) {
      if (reply !== successful)
        expect([reply.status, reply.json.details]).toEqual([409, { status }])
    }
    expect((await call(store.targets[0], 'GET', path)).json.withdrawal.status).toBe(status)
    return status as string
  }, 10)
  const processingCents =
    outcomes.filter((status) => status === 'processing').length * REQUEST.amount_cents
  expect(await getWallet(store)).toMatchObject({
    pending_cents: processingCents,
    withdrawn_cents: 0,
    available_cents: 100_000 - processingCents,
  })
  expect((await eventCounts(store))['withdrawal.completed']).toBeUndefined()
  await database.expectNoFaults()
})

test('payments and refunds are each counted once while workers add up wallets and the seller withdraws', async (context) => {
  const store = await database.openStore(context)
  const product = await createService(store, 1_000)
  await Promise.all([
    runConcurrently(async () => {
      const { order } = await postSuccessfully(store, '/orders', orderOf(product))
      const path = `/orders/${order.id}/refund`
      await postSuccessfully(store, path, { amount_cents: 400 })
    }),
    runConcurrently(() => foldWalletsJob.run(store.app), 10),
    runConcurrently((n) =>
      postUntilAnswered(
        store.targets[0],
        '/account/withdrawals',
        { ...REQUEST, amount_cents: 10 },
        `w-${n}`,
      ),
    ),
  ])
  const { paid_cents, refunded_cents } = await getWallet(store)
  expect([paid_cents, refunded_cents]).toEqual([CALLS * 1_000, CALLS * 400])
  await database.expectNoFaults()
  while (await foldWalletsJob.run(store.app)) {}
  const { rows } = await sql`
    select paid_cents, refunded_cents from wallet where store_id = ${store.storeId}`.execute(
    store.app.db,
  )
  expect(rows).toEqual([{ paid_cents: CALLS * 1_000, refunded_cents: CALLS * 400 }])
  await database.expectNoFaults()
})

test('a wallet that is repaired during payments and withdrawals is correct afterwards', async (context) => {
  const store = await database.openStore(context)
  const [target] = store.targets
  const product = await createService(store, 1_000)
  await postSuccessfully(store, '/orders', orderOf(product))
  while (await foldWalletsJob.run(store.app)) {}
  await sql`
    update wallet set paid_cents = paid_cents + 7, withdrawn_cents = 3
     where store_id = ${store.storeId}`.execute(store.app.db)
  const repair = { command: 'wallet repair', input: { store: target.store } }
  await Promise.all([
    runConcurrently(() => postSuccessfully(store, '/orders', orderOf(product))),
    runConcurrently((n) =>
      postUntilAnswered(target, '/account/withdrawals', { ...REQUEST, amount_cents: 10 }, `w-${n}`),
    ),
    runConcurrently(() => foldWalletsJob.run(store.app), 10),
    runConcurrently(() => answerCommand(store.app, adminCommands, repair), 10),
  ])
  expect(await getWallet(store)).toMatchObject({
    paid_cents: (CALLS + 1) * 1_000,
    withdrawn_cents: 0,
  })
  await database.expectNoFaults()
})
