import { expect, type TestContext, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()
const ENTRY = { type: 'email', value: 'ada@example.com' }

async function openStore(context: TestContext) {
  const { app, targets } = await database.openStore(context)
  const send = (method: string, path: string, body?: Json) =>
    call(targets[0], method, path, { body })
  return { app, send }
}

test.for<[name: string, method: string, body: Json | undefined, verb: string, status: number]>([
  ['creation', 'POST', ENTRY, 'block', 422],
  ['change', 'PATCH', { value: 'b@example.com' }, 'unblock', 404],
  ['deletion', 'DELETE', undefined, 'unblock', 404],
])(
  'the %s of a blocklist entry does not deadlock with a block of its customer (decision 400)',
  async ([_, method, body, verb, status], context) => {
    const { app, send } = await openStore(context)
    const { customer } = (await send('POST', '/customers', { email: ENTRY.value })).json
    let path = '/blocklist'
    if (method !== 'POST') {
      const { blocklist_entry } = (await send('POST', path, ENTRY)).json
      path += `/${blocklist_entry.id}`
    }
    const releaseCustomer = await holdTransaction(
      app,
      `select from customer where id = ${customer.id} for update`,
    )
    const block = send('POST', `/customers/${customer.id}/${verb}`, {})
    await untilWaiting(app, 1)
    const change = send(method, path, body)
    await untilWaiting(app, 2)
    await releaseCustomer()
    expect((await block).status).toBe(200)
    expect((await change).status).toBe(status)
    await database.expectNoFaults()
  },
)

test('the removal of a block does not deadlock with an order that several entries refuse', async (context) => {
  const { app, send } = await openStore(context)
  const service = { name: 'Advice', type: 'service', price_cents: 100 }
  const { product } = (await send('POST', '/products', service)).json
  const body = orderOf(product.id, { ip: '192.0.2.9' })
  const { order } = (await send('POST', '/orders', body)).json
  const path = `/customers/${order.customer.id}`
  // The address of the customer is blocked again, so its entry is newer than the one of the IP address.
  await send('POST', `${path}/block`, { block_ips: true })
  await send('POST', `${path}/unblock`, { block_ips: true })
  await send('POST', `${path}/block`, {})
  const releaseEntry = await holdTransaction(
    app,
    `select from blocklist_entry where type = 'ip' for update`,
  )
  const refused = send('POST', '/orders', body)
  await untilWaiting(app, 1)
  const removal = send('POST', `${path}/unblock`, {})
  await untilWaiting(app, 2)
  await releaseEntry()
  expect((await refused).status).toBe(403)
  expect((await removal).status).toBe(200)
  await database.expectNoFaults()
})
