import { expect, test } from 'vitest'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import { startDispatcher } from './index.ts'

const subscribed = subscribedStore()
const { createOrders, listDeliveries } = subscribed
const ORDERS = 12
/** A check for due deliveries may find an event in the moment between its commit and its claim. */
const SEARCHES_MAX = 4

const searchesIn = (statements: readonly string[]) =>
  statements.filter((text) => text.includes('recursive stores as'))

test('a process that sends claims the events that it commits by their numbers, and does not search for them', async () => {
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  try {
    const statements = await subscribed.tradepost.statements(async () => {
      for (let n = 1; n <= ORDERS; n++) {
        await createOrders(1)
        await subscribed.receiver.until(n)
      }
    })
    expect(searchesIn(statements).length).toBeLessThanOrEqual(SEARCHES_MAX)
    await expect
      .poll(async () => (await listDeliveries()).map(({ status }) => status))
      .toEqual(new Array(ORDERS).fill('succeeded'))
    expect(subscribed.receiver.received).toHaveLength(ORDERS)
  } finally {
    await dispatcher.stop()
  }
})
