import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { planQuantity, reportOn } from './stock.rules.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  expect(
    (await diagnose(tradepost.app)).findings.filter(
      ({ ok, check }) => !ok && check !== 'durable_commits',
    ),
  ).toEqual([])
  await tradepost.close()
})

const path = ({ id, variantId }: Stocked) => `/products/${id}/variants/${variantId}`
const goods = (stock_quantity = 5) =>
  product(tradepost, {
    type: 'service',
    variants: [{ name: 'Box', stock_mode: 'manual', stock_quantity }],
  })
const hold = (game: Stocked, quantity: number) =>
  order(tradepost, game.id, { items: [{ product_id: game.id, quantity }] })

describe('the stock of a variant', () => {
  test('shows the units on hand, reserved and sold, and whether stock is low', async () => {
    const game = await goods(5)
    await hold(game, 2)
    await order(tradepost, game.id, { mark_paid: true })
    await tradepost.patch(path(game), { low_stock_threshold: 2 })
    const { status, json } = await tradepost.get(`${path(game)}/stock`)
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
    const endless = (await tradepost.get(`${path(advice)}/stock`)).json.stock
    expect(endless).toMatchObject({ stock_mode: 'unlimited', available: null, low_stock: false })
  })

  test('is set by `quantity`; units that unpaid orders reserve stay reserved', async () => {
    const game = await goods(5)
    await hold(game, 2)
    await tradepost.events()
    const { status, json } = await tradepost.patch(`${path(game)}/stock`, { quantity: 10 })
    expect(status).toBe(200)
    expect(json.stock).toMatchObject({ available: 10, on_hand: 12, reserved: 2 })
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const emitted = (await tradepost.payloads('product.restocked')).at(-1)
    expect(emitted.data.object).toMatchObject({ id: game.id, stock: 10, added: 7 })
    const same = await tradepost.patch(`${path(game)}/stock`, { quantity: 10 })
    expect(same.json.stock).toEqual(json.stock)
    expect(await tradepost.events()).toEqual([])
  })

  test('is changed by `delta`, and cannot fall below 0', async () => {
    const game = await goods(5)
    await tradepost.events()
    expect((await tradepost.patch(`${path(game)}/stock`, { delta: -3 })).json.stock.available).toBe(
      2,
    )
    expect(await tradepost.events()).toEqual([])
    const { status, json } = await tradepost.patch(`${path(game)}/stock`, { delta: -3 })
    expect([status, json.details.field]).toEqual([422, 'delta'])
    expect((await tradepost.patch(`${path(game)}/stock`, { delta: -2 })).json.stock.available).toBe(
      0,
    )
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    expect((await tradepost.patch(`${path(game)}/stock`, { quantity: 0 })).status).toBe(200)
    expect(await tradepost.events()).toEqual([])
    expect((await tradepost.patch(`${path(game)}/stock`, { delta: 1 })).json.stock.available).toBe(
      1,
    )
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
  ])('%j is refused by its field', async (body, field) => {
    const game = await goods()
    const { status, json } = await tradepost.patch(`${path(game)}/stock`, body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('that is counted by keys, or not counted, accepts no quantity', async () => {
    for (const fields of [{}, { type: 'service' }]) {
      const game = await product(tradepost, fields)
      const { status, json } = await tradepost.patch(`${path(game)}/stock`, { quantity: 3 })
      expect([status, json.details.field]).toEqual([422, 'quantity'])
    }
  })

  test('needs stock:read to be seen and stock:write to be changed', async () => {
    const game = await goods()
    const as = await tradepost.key({ permissions: ['products:read', 'products:write'] })
    expect((await tradepost.get(`${path(game)}/stock`, { as })).json.details.required).toBe(
      'stock:read',
    )
    const denied = await tradepost.patch(`${path(game)}/stock`, { quantity: 3 }, { as })
    expect(denied.json.details.required).toBe('stock:write')
  })
})

test('units that a change of the stock mode leaves reserved are released when the order is paid', async () => {
  const game = await goods(5)
  const held = await hold(game, 2)
  await tradepost.patch(path(game), { stock_mode: 'unlimited' })
  await tradepost.post(`/orders/${held.id}/manual-payments`)
  expect((await tradepost.get(`${path(game)}/stock`)).json.stock).toMatchObject({
    reserved: 0,
    sold: 2,
  })
})

describe('a dry run', () => {
  test('reports the result of each line, and adds nothing', async () => {
    const game = await product(tradepost, {}, { keys: ['DRY-SOLD-0001', 'DRY-HERE-0002'] })
    await order(tradepost, game.id, { mark_paid: true })
    await tradepost.events()
    const keys = [
      ...['DRY-NEW-00001', 'DRY-SOLD-0001', 'DRY-HERE-0002', ' ', 'DRY-NEW-00001', 'x\u0007'],
      ...['x'.repeat(2049), 'DRY-NEW-00002'],
    ]
    const { status, json } = await tradepost.post(`${path(game)}/keys`, { keys, dry_run: true })
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      added: 2,
      skipped: 6,
      report: {
        new: 2,
        duplicate: [3, 5],
        already_sold: [2],
        malformed: [
          { line: 4, reason: 'Write at least one character.' },
          { line: 6, reason: 'Remove control characters.' },
          { line: 7, reason: 'Write at most 2048 characters.' },
        ],
      },
    })
    expect((await tradepost.get(`${path(game)}/keys`)).json.pagination.total).toBe(2)
    expect(await tradepost.events()).toEqual([])
  })

  test('of 5,000 keys is a dry run of all, and 5,001 are refused', async () => {
    const game = await product(tradepost)
    const all = keysNamed('MANY', 5_001)
    const tried = await tradepost.post(`${path(game)}/keys`, { keys: all.slice(1), dry_run: true })
    expect(tried.json).toMatchObject({ added: 5_000, report: { new: 5_000 } })
    const { status, json } = await tradepost.post(`${path(game)}/keys`, {
      keys: all,
      dry_run: true,
    })
    expect([status, json.details.field]).toEqual([422, 'keys'])
    const added = await tradepost.post(`${path(game)}/keys`, { keys: all.slice(1) })
    expect(added.json).toEqual({ success: true, added: 5_000, skipped: 0 })
  })

  test('is the only call that reports malformed keys by line: others are refused', async () => {
    const game = await product(tradepost)
    const { status, json } = await tradepost.post(`${path(game)}/keys`, { keys: ['GOOD', ' '] })
    expect([status, json.details.field]).toEqual([422, 'keys[1]'])
    expect((await tradepost.get(`${path(game)}/keys`)).json.pagination.total).toBe(0)
  })

  test('counts each line once, whatever the lines are', () => {
    const line = fc.record({
      why: fc.option(fc.constant('No.'), { nil: undefined }),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
    })
    const status = fc.constantFrom('available', 'reserved', 'sold', 'burned', 'revoked')
    const known = fc.dictionary(fc.constantFrom('a', 'b', 'c'), status)
    fc.assert(
      fc.property(fc.array(line), known, (lines, statuses) => {
        const report = reportOn(lines, new Map(Object.entries(statuses)))
        const emitted = [...report.duplicate, ...report.already_sold]
        const numbers = [...emitted, ...report.malformed.map((item) => item.line)]
        expect(new Set(numbers).size).toBe(numbers.length)
        expect(report.new + numbers.length).toBe(lines.length)
        expect(report.new).toBeLessThanOrEqual(4)
      }),
    )
  })
})

describe('a stock key', () => {
  const keyOf = async (game: Stocked): Promise<Json> =>
    (await tradepost.get(`${path(game)}/keys`)).json.keys[0]

  test('that is held back is not for sale, and can be put back', async () => {
    const game = await product(tradepost, {}, { keys: ['HELD-BACK-0001'] })
    const { id } = await keyOf(game)
    await tradepost.events()
    const held = await tradepost.patch(`${path(game)}/keys/${id}`, { status: 'reserved' })
    expect(held.json.key).toMatchObject({ id, object: 'stock_key', status: 'reserved' })
    expect(held.json.key.value).toBe('••••0001')
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    expect((await tradepost.get(`${path(game)}/stock`)).json.stock.available).toBe(0)
    await tradepost.patch(`${path(game)}/keys/${id}`, { status: 'available' })
    expect(await tradepost.events()).toEqual(['product.restocked'])
    expect((await tradepost.get(`${path(game)}/stock`)).json.stock.available).toBe(1)
  })

  test('takes another text, unless the variant has it already', async () => {
    const game = await product(tradepost, {}, { keys: ['TEXT-ABCD-0001', 'TEXT-ABCD-0002'] })
    const { id } = await keyOf(game)
    const key = `${path(game)}/keys/${id}`
    const taken = await tradepost.patch(key, { value: 'TEXT-ABCD-0001' })
    expect([taken.status, taken.json.details]).toMatchObject([
      422,
      { field: 'value', reason: 'taken' },
    ])
    await tradepost.patch(key, { value: 'TEXT-ABCD-0003' })
    const { json } = await tradepost.get(`${path(game)}/keys?reveal=true`)
    expect(json.keys.map((item: Json) => item.value)).toEqual(['TEXT-ABCD-0003', 'TEXT-ABCD-0001'])
    expect((await tradepost.patch(key, {})).json.key.value).toBe('••••0003')
  })

  test('that was sold or withdrawn stays as it is', async () => {
    const game = await product(tradepost, {}, { keys: ['FINAL-ABCD-0001'] })
    const { id } = await keyOf(game)
    const key = `${path(game)}/keys/${id}`
    expect((await tradepost.patch(key, { status: 'revoked' })).json.key.status).toBe('revoked')
    for (const patch of [{ status: 'available' }, { value: 'OTHER-TEXT' }]) {
      const { status, json } = await tradepost.patch(key, patch)
      expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'revoked'])
    }
    expect((await tradepost.patch(key, { status: 'sold' })).json.details.field).toBe('status')
    expect((await tradepost.patch(key, { value: ' ' })).json.details.field).toBe('value')
  })

  test('that an unpaid order counts on cannot be withdrawn', async () => {
    const game = await product(tradepost, {}, { keys: ['COUNT-ON-0001'] })
    const { id } = await keyOf(game)
    await order(tradepost, game.id)
    const { status, json } = await tradepost.patch(`${path(game)}/keys/${id}`, { status: 'burned' })
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
  })
})

test('a quantity or a delta sets the stated stock, and never takes reserved units', () => {
  const stock = fc.record({ on_hand: fc.nat(1_000), reserved: fc.nat(1_000) }).map((item) => ({
    stock_mode: 'manual',
    on_hand: item.on_hand + item.reserved,
    reserved: item.reserved,
  }))
  fc.assert(
    fc.property(stock, fc.nat(2_000), (item, quantity) => {
      const units = planQuantity(item, { quantity })
      expect(item.on_hand + units - item.reserved).toBe(quantity)
    }),
  )
  fc.assert(
    fc.property(stock, fc.integer({ min: -2_000, max: 2_000 }), (item, delta) => {
      const before = item.on_hand - item.reserved
      if (before + delta < 0) expect(() => planQuantity(item, { delta })).toThrow('taken away')
      else expect(planQuantity(item, { delta })).toBe(delta)
    }),
  )
})
