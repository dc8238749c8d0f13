import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { openReceiver } from '../../../../test/receiver.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { startDispatcher } from '../../webhooks/index.ts'
import { asStore, storeNamed } from '../stores/index.ts'
import { advanceClock, type Waiting } from './advance-clock.ts'
import { clockCommands } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const advance = (store: string, duration: string): Promise<Json> =>
  clockCommands[0]?.run(tradepost.app, { store, duration }) ??
  Promise.reject(new Error('No command.'))
const now = async () => {
  const made = await tradepost.post(
    '/products',
    { name: 'P', price_cents: 1 },
    { as: tradepost.test },
  )
  return Date.parse(made.json.product.created_at)
}

test('two moves at once add up', async () => {
  const before = await now()
  await Promise.all([advance(tradepost.test.id, '2h'), advance(tradepost.test.id, '3h')])
  const hours = Math.round(((await now()) - before) / 3_600_000)
  expect(hours).toBe(5)
})

test('a clock cannot leave the years that a date can be written in', async () => {
  await expect(advance(tradepost.test.id, '100000000d')).rejects.toThrow('ten years')
  expect(Number.isNaN(await now())).toBe(false)
})

test('the clock of a live side cannot be moved', async () => {
  await expect(advance(tradepost.live.id, '1h')).rejects.toThrow('live')
})

test('records that are too old by the new time are deleted when the move is over', async () => {
  const as = { as: tradepost.test }
  const receiver = await openReceiver()
  const dispatcher = startDispatcher(tradepost.app)
  const body = { url: receiver.url, events: ['order.created'] }
  const { webhook } = (await tradepost.post('/webhooks', body, as)).json
  const { id } = await product(tradepost, { type: 'service' }, as)
  await order(tradepost, id, {}, as)
  await receiver.until(1)
  const log = async (): Promise<Json[]> =>
    (await tradepost.get('/events/deliveries?limit=100', as)).json.deliveries
  expect(await log()).toHaveLength(1)
  await advance(tradepost.test.id, '31d')
  expect(await log()).toEqual([])
  await tradepost.delete(`/webhooks/${webhook.id}`, as)
  await dispatcher.stop()
  await receiver.close()
})

describe('webhooks that are due', () => {
  const as = () => ({ as: tradepost.test })
  const side = async () => asStore(await storeNamed(tradepost.app, { store: tradepost.test.id }))
  const log = async (): Promise<Json[]> =>
    (await tradepost.get('/events/deliveries?limit=100', as())).json.deliveries
  const move = async (waiting: Waiting) =>
    advanceClock(tradepost.app, await side(), 10 * MINUTE_MS, waiting)

  async function waiting(count: number, url: string): Promise<Json> {
    const body = { url, events: ['order.created'] }
    const { webhook } = (await tradepost.post('/webhooks', body, as())).json
    const { id } = await product(tradepost, { type: 'service' }, as())
    for (let n = 0; n < count; n++) await order(tradepost, id, {}, as())
    return webhook
  }

  test('and if none of them comes to an end, the command is refused with their number and the time reached', async () => {
    const { id } = await waiting(3, 'http://127.0.0.1:4999/')
    const before = await now()
    const moved = move({ patience_ms: 300 })
    await expect(moved).rejects.toMatchObject({ exitCode: 1 })
    await expect(moved).rejects.toThrow(
      /^Webhooks that are due or running: 3\. None came to an end/,
    )
    await expect(moved).rejects.toThrow(/; 600s are left of the way\.$/)
    expect((await now()) - before).toBeLessThan(MINUTE_MS)
    await tradepost.delete(`/webhooks/${id}`, as())
  })

  test('are waited for no longer than the caller waits for the command', async () => {
    const { id } = await waiting(1, 'http://127.0.0.1:4999/')
    const leaving = new AbortController()
    const moved = move({ signal: leaving.signal })
    leaving.abort()
    await expect(moved).rejects.toThrow(/^Stopped\. It is .* 600s are left of the way\.$/)
    await tradepost.delete(`/webhooks/${id}`, as())
  })

  test('are waited for as long as one after the other comes to an end', async () => {
    const PATIENCE_MS = 3_000
    const ANSWER_MS = 400
    const receiver = await openReceiver()
    receiver.answer((response) => {
      setTimeout(() => response.writeHead(500).end(), ANSWER_MS)
    })
    const dispatcher = startDispatcher(tradepost.app)
    // A receiver that fails is asked once at a time: these alone take twice the patience.
    const { id } = await waiting(10 + (2 * PATIENCE_MS) / ANSWER_MS, receiver.url)
    try {
      await advanceClock(tradepost.app, await side(), 1_000, { patience_ms: PATIENCE_MS })
      const mine = (await log()).filter(({ webhook }) => webhook.id === id)
      expect(mine).toHaveLength(25)
      for (const { status, attempts } of mine) expect([status, attempts]).toEqual(['pending', 1])
    } finally {
      await dispatcher.stop()
      await tradepost.delete(`/webhooks/${id}`, as())
      await receiver.close()
    }
  })
})
