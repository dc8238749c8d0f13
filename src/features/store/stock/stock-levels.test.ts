import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CreatedProduct, keysNamed, order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { availableUnits, planQuantity, reportKeyLines } from './stock.rules.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const variantPath = ({ id, variantId }: CreatedProduct) => `/products/${id}/variants/${variantId}`
const createVariant = (stock_quantity = 5) =>
  product(tradepost, {
    type: 'service',
    variants: [{ name: 'Box', stock_mode: 'manual', stock_quantity }],
  })
const reserveUnits = (game: CreatedProduct, quantity: number) =>
  order(tradepost, game.id, { items: [{ product_id: game.id, quantity }] })

describe('the stock of a variant', () => {
  test('shows the units on hand, reserved and sold, and whether stock is low', async () => {
    const game = await createVariant(5)
    await reserveUnits(game, 2)
    await order(tradepost, game.id, { mark_paid: true })
    await expectSuccess(tradepost.patch(variantPath(game), { low_stock_threshold: 2 }))
    const { status, json } = await tradepost.get(`${variantPath(game)}/stock`)
    expect([status, json.stock]).toEqual([
      200,
      {
        object: 'stock',
        variant_id: game.variantId,
        stock_mode: 'manual',
        track_inventory: true,
        allow_backorder: false,
        available: 2,
        on_hand: 4,
        reserved: 2,
        sold: 1,
        low_stock_threshold: 2,
        low_stock: true,
      },
    ])
    const advice = await product(tradepost, { type: 'service' })
    const unlimited = (await tradepost.get(`${variantPath(advice)}/stock`)).json.stock
    expect(unlimited).toMatchObject({ stock_mode: 'unlimited', available: null, low_stock: false })
  })

  test('is set by `quantity`, and units that unpaid orders reserve stay reserved', async () => {
    const game = await createVariant(5)
    await reserveUnits(game, 2)
    await tradepost.events()
    const { status, json } = await tradepost.patch(`${variantPath(game)}/stock`, { quantity: 10 })
    expect(status).toBe(200)
    expect(json.stock).toMatchObject({ available: 10, on_hand: 12, reserved: 2 })
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const payload = (await tradepost.payloads('product.restocked')).at(-1)
    expect(payload.data.object).toMatchObject({ id: game.id, stock: 10, added: 7 })
    const repeat = await tradepost.patch(`${variantPath(game)}/stock`, { quantity: 10 })
    expect(repeat.json.stock).toEqual(json.stock)
    expect(await tradepost.events()).toEqual([])
  })

  test('is changed by `delta`, and cannot fall below 0', async () => {
    const game = await createVariant(5)
    await tradepost.events()
    expect(
      (await tradepost.patch(`${variantPath(game)}/stock`, { delta: -3 })).json.stock.available,
    ).toBe(2)
    expect(await tradepost.events()).toEqual([])
    const { status, json } = await tradepost.patch(`${variantPath(game)}/stock`, { delta: -3 })
    expect([status, json.details.field]).toEqual([422, 'delta'])
    expect(
      (await tradepost.patch(`${variantPath(game)}/stock`, { delta: -2 })).json.stock.available,
    ).toBe(0)
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    expect((await tradepost.patch(`${variantPath(game)}/stock`, { quantity: 0 })).status).toBe(200)
    expect(await tradepost.events()).toEqual([])
    expect(
      (await tradepost.patch(`${variantPath(game)}/stock`, { delta: 1 })).json.stock.available,
    ).toBe(1)
    expect(await tradepost.events()).toEqual(['product.restocked'])
  })

  test.each([
    [{}, 'quantity'],
    [{ quantity: 1, delta: 1 }, 'delta'],
    [{ quantity: -1 }, 'quantity'],
    [{ quantity: 1.5 }, 'quantity'],
    [{ quantity: '1' }, 'quantity'],
    [{ quantity: null }, 'quantity'],
    [{ quantity: 1_000_000_001 }, 'quantity'],
    [{ delta: 1_000_000_000 }, 'delta'],
    [{ stock_quantity: 5 }, 'stock_quantity'],
  ])('cannot be changed with %j, and the error names the field', async (body, field) => {
    const game = await createVariant()
    const { status, json } = await tradepost.patch(`${variantPath(game)}/stock`, body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('that is counted by keys, or not counted, accepts no quantity', async () => {
    for (const fields of [{}, { type: 'service' }]) {
      const game = await product(tradepost, fields)
      const { status, json } = await tradepost.patch(`${variantPath(game)}/stock`, { quantity: 3 })
      expect([status, json.details.field]).toEqual([422, 'quantity'])
    }
  })

  test('needs stock:read to be read and stock:write to be changed', async () => {
    const game = await createVariant()
    const as = await tradepost.key({ permissions: ['products:read', 'products:write'] })
    expect((await tradepost.get(`${variantPath(game)}/stock`, { as })).json.details.required).toBe(
      'stock:read',
    )
    const refusal = await tradepost.patch(`${variantPath(game)}/stock`, { quantity: 3 }, { as })
    expect(refusal.json.details.required).toBe('stock:write')
  })
})

test('units that stay reserved after a change of the stock mode are released when their order is paid', async () => {
  const game = await createVariant(5)
  const unpaidOrder = await reserveUnits(game, 2)
  await expectSuccess(tradepost.patch(variantPath(game), { stock_mode: 'unlimited' }))
  await expectSuccess(tradepost.post(`/orders/${unpaidOrder.id}/manual-payments`))
  expect((await tradepost.get(`${variantPath(game)}/stock`)).json.stock).toMatchObject({
    reserved: 0,
    sold: 2,
  })
})

describe('a dry run of adding stock keys', () => {
  test('reports the result of each line, and adds nothing', async () => {
    const game = await product(tradepost, {}, { keys: ['DRY-SOLD-0001', 'DRY-HERE-0002'] })
    await order(tradepost, game.id, { mark_paid: true })
    await tradepost.events()
    const keys = [
      ...['DRY-NEW-00001', 'DRY-SOLD-0001', 'DRY-HERE-0002', ' ', 'DRY-NEW-00001', 'x\u0007'],
      ...['x'.repeat(2049), 'DRY-NEW-00002', 'GR\ufffdSSE-0001'],
    ]
    const { status, json } = await tradepost.post(`${variantPath(game)}/keys`, {
      keys,
      dry_run: true,
    })
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      added: 2,
      skipped: 7,
      report: {
        new: 2,
        duplicate: [3, 5],
        already_sold: [2],
        malformed: [
          { line: 4, reason: 'Write at least one character.' },
          { line: 6, reason: 'Remove control characters.' },
          { line: 7, reason: 'Write at most 2048 characters.' },
          { line: 9, reason: expect.stringContaining('U+FFFD') },
        ],
      },
    })
    expect((await tradepost.get(`${variantPath(game)}/keys`)).json.pagination.total).toBe(2)
    expect(await tradepost.events()).toEqual([])
  })

  test('is refused without dry_run if a key has a replacement character', async () => {
    const game = await product(tradepost)
    const refusal = await tradepost.post(`${variantPath(game)}/keys`, {
      keys: ['A-0001', 'B\ufffd'],
    })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'keys[1]'])
    expect(refusal.json.error).toContain('U+FFFD')
  })

  test('covers 5,000 keys, and is refused for 5,001', async () => {
    const game = await product(tradepost)
    const tooMany = keysNamed('MANY', 5_001)
    const dryRun = await tradepost.post(`${variantPath(game)}/keys`, {
      keys: tooMany.slice(1),
      dry_run: true,
    })
    expect(dryRun.json).toMatchObject({ added: 5_000, report: { new: 5_000 } })
    const { status, json } = await tradepost.post(`${variantPath(game)}/keys`, {
      keys: tooMany,
      dry_run: true,
    })
    expect([status, json.details.field]).toEqual([422, 'keys'])
    const addition = await tradepost.post(`${variantPath(game)}/keys`, { keys: tooMany.slice(1) })
    expect(addition.json).toEqual({ success: true, added: 5_000, skipped: 0 })
  })

  test('reports each line exactly once', () => {
    const line = fc.record({
      problem: fc.option(fc.constant('No.'), { nil: undefined }),
      hash: fc.constantFrom('a', 'b', 'c', 'd'),
    })
    const status = fc.constantFrom('available', 'reserved', 'sold', 'burned', 'revoked')
    const storedKeys = fc.dictionary(fc.constantFrom('a', 'b', 'c'), status)
    fc.assert(
      fc.property(fc.array(line), storedKeys, (lines, statuses) => {
        const report = reportKeyLines(lines, new Map(Object.entries(statuses)))
        const existing = [...report.duplicate, ...report.already_sold]
        const reportedLines = [...existing, ...report.malformed.map((item) => item.line)]
        expect(new Set(reportedLines).size).toBe(reportedLines.length)
        expect(report.new + reportedLines.length).toBe(lines.length)
        expect(report.new).toBeLessThanOrEqual(4)
      }),
    )
  })
})

test('a call without dry_run adds no keys if one of them is malformed', async () => {
  const game = await product(tradepost)
  const { status, json } = await tradepost.post(`${variantPath(game)}/keys`, {
    keys: ['GOOD', ' '],
  })
  expect([status, json.details.field]).toEqual([422, 'keys[1]'])
  expect((await tradepost.get(`${variantPath(game)}/keys`)).json.pagination.total).toBe(0)
})

describe('a stock key', () => {
  const getKey = async (game: CreatedProduct): Promise<Json> =>
    (await tradepost.get(`${variantPath(game)}/keys`)).json.keys[0]

  test('that is withheld is not for sale until it is available again', async () => {
    const game = await product(tradepost, {}, { keys: ['HELD-BACK-0001'] })
    const { id } = await getKey(game)
    await tradepost.events()
    const answer = await tradepost.patch(`${variantPath(game)}/keys/${id}`, {
      status: 'reserved',
    })
    expect(answer.json.key).toMatchObject({ id, object: 'stock_key', status: 'reserved' })
    expect(answer.json.key.value).toBe('••••0001')
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    expect((await tradepost.get(`${variantPath(game)}/stock`)).json.stock.available).toBe(0)
    await expectSuccess(tradepost.patch(`${variantPath(game)}/keys/${id}`, { status: 'available' }))
    expect(await tradepost.events()).toEqual(['product.restocked'])
    expect((await tradepost.get(`${variantPath(game)}/stock`)).json.stock.available).toBe(1)
  })

  test('accepts another text, unless the variant has that text already', async () => {
    const game = await product(tradepost, {}, { keys: ['TEXT-ABCD-0001', 'TEXT-ABCD-0002'] })
    const { id } = await getKey(game)
    const keyPath = `${variantPath(game)}/keys/${id}`
    const duplicate = await tradepost.patch(keyPath, { value: 'TEXT-ABCD-0001' })
    expect([duplicate.status, duplicate.json.details]).toMatchObject([
      422,
      { field: 'value', reason: 'taken' },
    ])
    await expectSuccess(tradepost.patch(keyPath, { value: 'TEXT-ABCD-0003' }))
    const { json } = await tradepost.get(`${variantPath(game)}/keys?reveal=true`)
    expect(json.keys.map((item: Json) => item.value)).toEqual(['TEXT-ABCD-0003', 'TEXT-ABCD-0001'])
    expect((await tradepost.patch(keyPath, {})).json.key.value).toBe('••••0003')
  })

  test('that is revoked cannot change, and no key can be set to sold', async () => {
    const game = await product(tradepost, {}, { keys: ['FINAL-ABCD-0001'] })
    const { id } = await getKey(game)
    const keyPath = `${variantPath(game)}/keys/${id}`
    expect((await tradepost.patch(keyPath, { status: 'revoked' })).json.key.status).toBe('revoked')
    for (const patch of [{ status: 'available' }, { value: 'OTHER-TEXT' }]) {
      const { status, json } = await tradepost.patch(keyPath, patch)
      expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'revoked'])
    }
    expect((await tradepost.patch(keyPath, { status: 'sold' })).json.details.field).toBe('status')
    expect((await tradepost.patch(keyPath, { value: ' ' })).json.details.field).toBe('value')
  })

  test('that an unpaid order reserves cannot be burned', async () => {
    const game = await product(tradepost, {}, { keys: ['COUNT-ON-0001'] })
    const { id } = await getKey(game)
    await order(tradepost, game.id)
    const { status, json } = await tradepost.patch(`${variantPath(game)}/keys/${id}`, {
      status: 'burned',
    })
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
  })
})

test('a quantity or a delta leads to the requested available stock, without the units that orders reserve or wait for', () => {
  const stock = fc
    .record({ on_hand: fc.nat(1_000), reserved: fc.nat(1_000), owed: fc.nat(2_000) })
    .map((item) => ({
      stock_mode: 'manual',
      on_hand: item.on_hand + item.reserved,
      reserved: item.reserved,
      owed: item.owed,
    }))
  fc.assert(
    fc.property(stock, fc.nat(2_000), (counters, quantity) => {
      const units = planQuantity(counters, { quantity })
      expect(availableUnits({ ...counters, on_hand: counters.on_hand + units })).toBe(quantity)
    }),
  )
  fc.assert(
    fc.property(stock, fc.integer({ min: -2_000, max: 2_000 }), (counters, delta) => {
      const before = counters.on_hand - counters.reserved
      if (before + delta < 0)
        expect(() => planQuantity(counters, { delta })).toThrow(
          before === 0
            ? 'Unpaid orders reserve all units, or there are none. Send a delta above 0.'
            : `of this stock. Remove ${before} or fewer.`,
        )
      else expect(planQuantity(counters, { delta })).toBe(delta)
    }),
  )
})
