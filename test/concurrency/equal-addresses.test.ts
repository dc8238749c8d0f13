import { expect, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { postSuccessfully } from './post-successfully.ts'
import { eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

// Two forms of an address in concurrent calls (decision 448).

const database = sharedDatabase()
const CALLS = 20
const FORMS = ['ada@bücher.example', 'ada@xn--bcher-kva.example']
const emailOf = (n: number) => FORMS[n % 2]

const runConcurrently = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CALLS }, (_, n) => work(n)))

const post = (store: ServedStore, n: number, path: string, body: Json) =>
  postUntilAnswered(
    store.targets[n % store.targets.length] ?? store.targets[0],
    path,
    body,
    `${path}-${n}`,
  )

const countCreated = (replies: readonly { status: number }[]) =>
  replies.filter(({ status }) => status === 201).length

async function createService(store: ServedStore): Promise<string> {
  const body = { name: 'Advice', type: 'service', price_cents: 100 }
  return (await postSuccessfully(store, '/products', body)).product.id
}

test('20 concurrent first orders with both forms create one customer and one event customer.created (decision 448)', async (context) => {
  const store = await database.openStore(context)
  const id = await createService(store)
  const replies = await runConcurrently((n) =>
    post(store, n, '/orders', orderOf(id, { customer: { email: emailOf(n) } })),
  )
  expect(countCreated(replies)).toBe(CALLS)
  expect(new Set(replies.map(({ json }) => json.order.customer.id)).size).toBe(1)
  expect(await eventCounts(store)).toMatchObject({ 'customer.created': 1, 'order.created': CALLS })
  await database.expectNoFaults()
})

test.for(['/customers', '/affiliates/partners'])(
  'one of 20 concurrent POST %s with both forms is accepted (decision 448)',
  async (path, context) => {
    const store = await database.openStore(context)
    await call(store.targets[0], 'PATCH', '/affiliates/program', { body: { enabled: true } })
    const replies = await runConcurrently((n) => post(store, n, path, { email: emailOf(n) }))
    expect(countCreated(replies)).toBe(1)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]))
    await database.expectNoFaults()
  },
)

test('a customer whose address changes to the other form during orders stays one customer (decision 448)', async (context) => {
  const store = await database.openStore(context)
  const id = await createService(store)
  const { customer } = await postSuccessfully(store, '/customers', { email: FORMS[0] })
  const replies = await runConcurrently(async (n) =>
    n % 4 === 0
      ? call(store.targets[0], 'PATCH', `/customers/${customer.id}`, {
          body: { email: emailOf(n / 4) },
        })
      : post(store, n, '/orders', orderOf(id, { customer: { email: emailOf(n) } })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 201]))
  const orders = replies.flatMap(({ json }) => json.order ?? [])
  expect(new Set(orders.map((order: Json) => order.customer.id))).toEqual(new Set([customer.id]))
  await database.expectNoFaults()
})
