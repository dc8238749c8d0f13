import { expect, test } from 'vitest'
import { renewSubscriptionsJob } from '../../src/features/store/index.ts'
import { orderOf } from '../build.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

test('a cancellation that waits for a renewal does not deadlock with the payment of its order', async (context) => {
  const { app, storeId, targets } = await database.openStore(context)
  const send = async (method: string, path: string, body?: Json): Promise<Json> => {
    const { status, json, text } = await call(targets[0], method, path, { body })
    expect([200, 201], text).toContain(status)
    return json
  }
  const write = (statement: string) => ask(app.config.databaseUrl ?? '', statement)
  const { product } = await send('POST', '/products', {
    name: 'Plan',
    type: 'service',
    product_kind: 'subscription',
    price_cents: 1_000,
  })
  await send('PUT', `/products/${product.id}/billing`, { billing_cycle: 'weekly' })
  await send('POST', '/orders', orderOf(product.id, { mark_paid: true }))
  await write(`update subscription set due_at = now() - interval '1 s' where store_id = ${storeId}`)
  while (await renewSubscriptionsJob.run(app)) {}
  const [{ id }] = (await send('GET', '/subscriptions')).subscriptions
  const { payments } = (await send('GET', `/subscriptions/${id}`)).subscription
  const renewal = payments.find((item: Json) => item.status === 'pending').invoice_id

  // The cancellation reads a subscription without an unpaid order, and waits while it gets one.
  await write(`update subscription set open_invoice_id = null where store_id = ${storeId}`)
  const commitRenewal = await holdTransaction(
    app,
    `update subscription set open_invoice_id = '${renewal}' where store_id = ${storeId}`,
    'commit',
  )
  const cancellation = send('POST', `/subscriptions/${id}/cancel`, { at_period_end: false })
  await untilWaiting(app, 1)
  const payment = send('POST', `/orders/${renewal}/manual-payments`, {})
  await untilWaiting(app, 2)
  await commitRenewal()
  expect((await payment).order.status).toBe('paid')
  expect((await cancellation).subscription.status).toBe('cancelled')
  await database.expectNoFaults()
})
