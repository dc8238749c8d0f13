import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../build.ts'
import { chanceOf } from '../chance.mjs'
import { createSeller, type Seller } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { IS_WHOLE } from '../walks.ts'
import { longestTurn, ratioToParsing } from './thread-time.ts'

/**
 * A turn of the event loop may take as long as parsing 5 MiB of small objects, which is more than twice
 * the 50 ms of decision 120 on an idle machine. Work that blocks the loop takes many times as long.
 */
const TURN_MAX = 5

let tradepost: Tradepost
let seller: Seller
let appId: number

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  appId = (await seller.post('/apps', { name: 'Largest' })).json.app.id
})
afterAll(() => tradepost.close())

/** Returns a function that does the work, and returns the longest turn of the event loop. */
const turnOf = (work: () => Promise<{ status: number; json: Json }>) => async () => {
  let answer: { status: number; json: Json } | undefined
  const turn = await longestTurn(async () => {
    answer = await work()
  })
  expect(answer?.status, JSON.stringify(answer?.json).slice(0, 300)).toBeLessThan(300)
  return turn
}

const expectShortTurns = async (work: () => Promise<{ status: number; json: Json }>) =>
  expect(await ratioToParsing(turnOf(work), TURN_MAX)).toBeLessThanOrEqual(TURN_MAX)

/** All cases in a whole walk, else one. */
const casesOf = (bodies: Record<string, string>) =>
  IS_WHOLE ? Object.entries(bodies) : [chanceOf('largest bodies').pick(Object.entries(bodies))]

describe('one of the largest valid bodies blocks the event loop no longer than 50 ms (decision 120):', () => {
  test.each(
    casesOf({
      links: '<a href="https://example.com/a">b</a>'.repeat(950),
      'tags left open': '<b>'.repeat(990),
      tags: '<b>x</b>'.repeat(999),
      attributes: '<a href="https://a.example" title="b" target="c" rel="d">x</a>'.repeat(900),
      entities: '&amp;'.repeat(4_900),
    }),
  )('HTML of %s', (_, description_html) =>
    expectShortTurns(() =>
      tradepost.post('/products', { name: 'x', price_cents: 1, details: { description_html } }),
    ),
  )

  // Not `runIf`, because a skipped test fails in CI.
  if (IS_WHOLE)
    test('5,000 stock keys, and the payment of an order of 20,000 units', async () => {
      const game = await product(tradepost, {})
      const path = `/products/${game.id}/variants/${game.product.variants[0].id}/keys`
      let batchCount = 0
      const keys = () => keysNamed(`K${batchCount++}-${'x'.repeat(150)}`, 5_000)
      await expectShortTurns(() => tradepost.post(path, { keys: keys(), dry_run: true }))
      await expectShortTurns(() => tradepost.post(path, { keys: keys() }))
      const items = [10_000, 10_000].map((quantity) => ({ product_id: game.id, quantity }))
      const payment = async () => {
        for (let n = 0; n < 4; n++) await tradepost.post(path, { keys: keys() })
        const { id } = await order(tradepost, game.id, { items })
        return turnOf(async () => {
          const paid = await tradepost.post(`/orders/${id}/manual-payments`, {})
          expect(paid.json.order.status).toBe('completed')
          return paid
        })()
      }
      expect(await ratioToParsing(payment, TURN_MAX)).toBeLessThanOrEqual(TURN_MAX)
    })

  test('1,000 license keys', () =>
    expectShortTurns(() => seller.post('/keys', { app_id: appId, count: 1_000 })))

  test('remote settings with patterns of the highest allowed cost', () => {
    const settings = Array.from({ length: 20 }, (_, n) => ({
      key: `pattern_${n}`,
      type: 'string',
      value: `${'ab'.repeat(200)}c`,
      default_value: `${'ab'.repeat(200)}c`,
      constraints: { pattern: '((a?b?){18}){18}[cd]' },
    }))
    return expectShortTurns(() =>
      seller.call('PUT', '/remote-settings', { body: { app_id: appId, settings } }),
    )
  })
})

test('the measurement of these tests detects quadratic work for a body of 1 MiB', async () => {
  // A busy machine slows down the parsing, too, so the work is far above the bar.
  const names = Array.from({ length: 40_000 }, (_, n) => `name ${n}`)
  const quadratic = async () => names.filter((name, index) => names.indexOf(name) === index)
  const turn = () => longestTurn(quadratic)
  expect(await ratioToParsing(turn, TURN_MAX, 3)).toBeGreaterThan(2 * TURN_MAX)
})

test.each([
  [
    'a pattern that is too large',
    { value: 'a', constraints: { pattern: `(${'a?'.repeat(240)}){1000}` } },
    'constraints.pattern: Use a shorter pattern',
  ],
  [
    'a text that is too long for its pattern',
    { value: 'ab'.repeat(30_000), constraints: { pattern: '((a?b?){18}){18}[cd]' } },
    'value: Matching this text takes too long',
  ],
])('%s is refused before it is matched (decision 120)', async (_description, fields, error) => {
  const body = { app_id: appId, key: 'costly', type: 'string', ...fields }
  const { status, json } = await seller.post('/remote-settings', body)
  expect([status, json.error]).toEqual([422, expect.stringContaining(error)])
})
