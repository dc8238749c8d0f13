import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const path = ({ id, variantId }: Stocked) => `/products/${id}/variants/${variantId}/keys`
const stockOf = async ({ id }: Stocked): Promise<number[]> =>
  (await tradepost.get(`/products/${id}`)).json.variants.map((item: Json) => item.stock_quantity)
const listed = async (game: Stocked, query = ''): Promise<Json[]> =>
  (await tradepost.get(`${path(game)}?reveal=true&limit=100${query}`)).json.keys

describe('adding keys', () => {
  test('counts them into stock, and emits one event a call', async () => {
    const game = await product(tradepost)
    await tradepost.events()
    const { status, json } = await tradepost.post(path(game), { keys: keysNamed('ADD-KEY', 3) })
    expect([status, json]).toEqual([201, { success: true, added: 3, skipped: 0 }])
    expect(await stockOf(game)).toEqual([3])
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const emitted = (await tradepost.payloads('product.restocked')).at(-1)
    expect(emitted).toMatchObject({
      object: 'event',
      type: 'product.restocked',
      livemode: true,
      store: { id: tradepost.live.id, name: 'Here', slug: 'here' },
    })
    expect(emitted.data.object).toEqual({
      object: 'product',
      id: game.id,
      name: 'Game',
      slug: game.product.product.slug,
      status: 'active',
      stock: 3,
      added: 3,
    })
  })

  test('skips keys that are twice in the call or in stock already', async () => {
    const game = await product(tradepost, {}, { keys: ['SKIP-0001', 'SKIP-0002'] })
    const keys = ['SKIP-0003', 'SKIP-0002', 'SKIP-0003', 'skip-0001']
    expect((await tradepost.post(path(game), { keys })).json).toMatchObject({
      added: 2,
      skipped: 2,
    })
    expect((await listed(game)).map((key) => key.value)).toEqual([
      'skip-0001',
      'SKIP-0003',
      'SKIP-0002',
      'SKIP-0001',
    ])
    expect(await stockOf(game)).toEqual([4])
  })

  test('emits nothing if no key was new', async () => {
    const game = await product(tradepost, {}, { keys: ['SAME-0001'] })
    await tradepost.events()
    const { status, json } = await tradepost.post(path(game), { keys: ['SAME-0001'] })
    expect([status, json.added, json.skipped]).toEqual([201, 0, 1])
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    ['is there already', ['NEW-0001', 'OLD-0001'], 'keys[1]'],
    ['stands twice in the call', ['NEW-0001', 'NEW-0002', 'NEW-0001'], 'keys[2]'],
  ])('without skip_duplicates, a key that %s refuses the whole call', async (_, keys, field) => {
    const game = await product(tradepost, {}, { keys: ['OLD-0001'] })
    await tradepost.events()
    const { status, json } = await tradepost.post(path(game), { keys, skip_duplicates: false })
    expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(json.details).toMatchObject({ field, reason: 'taken' })
    expect((await listed(game)).map((key) => key.value)).toEqual(['OLD-0001'])
    expect(await stockOf(game)).toEqual([1])
    expect(await tradepost.events()).toEqual([])
  })

  test('a key that was sold is a duplicate too', async () => {
    const game = await product(tradepost, {}, { keys: ['SOLD-0001'] })
    await order(tradepost, game.id, { mark_paid: true })
    const again = await tradepost.post(path(game), { keys: ['SOLD-0001'] })
    expect(again.json).toMatchObject({ added: 0, skipped: 1 })
    const strict = await tradepost.post(path(game), { keys: ['SOLD-0001'], skip_duplicates: false })
    expect([strict.status, strict.json.details.field]).toEqual([422, 'keys[0]'])
  })

  test('the same key may be in another variant, another product and another store', async () => {
    const variants = [{ name: 'A' }, { name: 'B' }]
    const game = await product(tradepost, { variants }, { keys: ['SHARED-0001'] })
    const sibling = { ...game, variantId: game.product.variants[1].id }
    const keys = ['SHARED-0001']
    expect((await tradepost.post(path(sibling), { keys })).json.added).toBe(1)
    await product(tradepost, {}, { keys })
    await product(tradepost, {}, { keys, as: tradepost.other })
    expect(await stockOf(game)).toEqual([1, 1])
  })

  test('keys keep their letters, spaces and lines', async () => {
    const keys = [
      '  spaced ',
      'line 1\nline 2\ttab',
      'line 1\r\nline 2\n',
      'Ключ-😀',
      '😀'.repeat(2048),
    ]
    const game = await product(tradepost, {}, { keys })
    expect((await listed(game)).map((key) => key.value).reverse()).toEqual(keys)
  })

  test.each([
    ['no keys', { keys: [] }, 'keys'],
    ['an empty key', { keys: ['a', ''] }, 'keys[1]'],
    ['a key of spaces', { keys: ['   '] }, 'keys[0]'],
    ['a key of 2049 characters', { keys: ['x'.repeat(2049)] }, 'keys[0]'],
    ['a line of a file with CRLF', { keys: ['a', 'b\r'] }, 'keys[1]'],
    ['the first line of a file with a byte order mark', { keys: ['\ufeffa'] }, 'keys[0]'],
    ['a number', { keys: [5] }, 'keys[0]'],
    ['5001 keys', { keys: keysNamed('MANY', 5001) }, 'keys'],
    ['an unknown field', { keys: ['a'], note: 'x' }, 'note'],
    ['nothing', {}, 'keys'],
  ])('%s is refused', async (_, body, field) => {
    const game = await product(tradepost)
    const { status, json } = await tradepost.post(path(game), body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('only a serial variant takes keys', async () => {
    const service = await product(tradepost, { type: 'service' })
    const { status, json } = await tradepost.post(path(service), { keys: ['A'] })
    expect([status, json.details.field]).toEqual([422, 'variant_id'])
  })
})

describe('reading keys', () => {
  test('shows the last four, nothing of a short one, and all of it with reveal=true', async () => {
    const game = await product(tradepost, {}, { keys: ['SHORT-KEY-1', 'LONGER-KEY-2'] })
    const masked = await tradepost.get(path(game))
    expect(masked.json.keys.map((key: Json) => key.value)).toEqual(['••••EY-2', '••••'])
    expect(masked.text).not.toMatch(/SHORT|LONGER/)
    const shown = await tradepost.get(`${path(game)}?reveal=true`)
    expect(shown.json.keys).toEqual([
      {
        id: expect.any(Number),
        object: 'stock_key',
        variant_id: game.variantId,
        value: 'LONGER-KEY-2',
        status: 'available',
        order_id: null,
        sold_at: null,
        created_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ value: 'SHORT-KEY-1' }),
    ])
    expect(shown.json.pagination).toEqual({ total: 2, limit: 25, offset: 0, has_more: false })
  })

  test('filters by status, and names the order a key was sold with', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('STATUS', 3) })
    const { id } = await order(tradepost, game.id, { mark_paid: true })
    expect(await listed(game, '&status=sold')).toMatchObject([
      { value: 'STATUS-000001', order_id: id, sold_at: expect.stringMatching(/Z$/) },
    ])
    expect(await listed(game, '&status=available')).toHaveLength(2)
    expect(await listed(game, '&status=available,sold')).toHaveLength(3)
    expect(await listed(game, '&status=burned')).toEqual([])
    const page = await tradepost.get(`${path(game)}?limit=2&offset=1`)
    expect(page.json.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false })
  })

  test('needs stock:read: a key for the catalogue does not do', async () => {
    const game = await product(tradepost)
    const as = await tradepost.key({ permissions: ['products:read', 'products:write'] })
    for (const call of [
      await tradepost.get(path(game), { as }),
      await tradepost.post(path(game), { keys: ['A'] }, { as }),
      await tradepost.delete(path(game), { as }),
    ]) {
      expect([call.status, call.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    }
  })

  test('of another store, another product, or no variant is NOT_FOUND, as is writing', async () => {
    const game = await product(tradepost, {}, { keys: ['MINE-0001'] })
    const stranger = await product(tradepost)
    const paths = [
      path({ ...game, id: stranger.id }),
      path({ ...game, variantId: 999_999_999 }),
      `/products/${game.id}/variants/abc/keys`,
    ]
    for (const item of paths) {
      expect((await tradepost.get(item)).status, item).toBe(404)
      expect((await tradepost.post(item, { keys: ['A'] })).status, item).toBe(404)
      expect((await tradepost.delete(item)).status, item).toBe(404)
    }
    expect((await tradepost.get(path(game), { as: tradepost.other })).status).toBe(404)
    expect((await tradepost.delete(path(game), { as: tradepost.other })).status).toBe(404)
    expect(await stockOf(game)).toEqual([1])
  })
})

describe('deleting keys', () => {
  const idOf = async (game: Stocked, value: string): Promise<number> =>
    (await listed(game)).find((key) => key.value === value)?.id

  test('an available key goes, and stock with it', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('DEL', 2) })
    const id = await idOf(game, 'DEL-000001')
    await tradepost.events()
    const { status, json } = await tradepost.delete(`${path(game)}/${id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
    expect(await stockOf(game)).toEqual([1])
    expect(await tradepost.events()).toEqual([])
    expect((await tradepost.delete(`${path(game)}/${id}`)).status).toBe(404)
  })

  test('the last one emits an event that the product is out of stock', async () => {
    const game = await product(tradepost, {}, { keys: ['LAST-0001'] })
    await tradepost.events()
    await tradepost.delete(`${path(game)}/${await idOf(game, 'LAST-0001')}`)
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })

  test('a sold key stays', async () => {
    const game = await product(tradepost, {}, { keys: ['GONE-0001'] })
    await order(tradepost, game.id, { mark_paid: true })
    const { status, json } = await tradepost.delete(
      `${path(game)}/${await idOf(game, 'GONE-0001')}`,
    )
    expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'sold'])
  })

  test('what an unpaid order holds cannot be taken from under it', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('HELD', 2) })
    const held = await order(tradepost, game.id)
    expect(
      (await tradepost.delete(`${path(game)}/${await idOf(game, 'HELD-000002')}`)).status,
    ).toBe(200)
    const last = await tradepost.delete(`${path(game)}/${await idOf(game, 'HELD-000001')}`)
    expect([last.status, last.json.code]).toEqual([409, 'INVALID_STATE'])
    const paid = await tradepost.post(`/orders/${held.id}/manual-payments`, {})
    expect(paid.json.order.deliveries[0].keys).toEqual(['HELD-000001'])
  })

  test('all at once: the unreserved keys are removed, and one out-of-stock event is emitted', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('ALL', 4) })
    await order(tradepost, game.id)
    await tradepost.events()
    expect((await tradepost.delete(path(game))).json).toEqual({
      success: true,
      deleted: true,
      count: 3,
    })
    expect(await stockOf(game)).toEqual([0])
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    expect((await tradepost.delete(path(game))).json.count).toBe(0)
    expect(await tradepost.events()).toEqual([])
    expect(await listed(game)).toHaveLength(1)
  })

  test('all at once: no statement takes more than a part of many', async () => {
    const game = await product(tradepost, {}, { keys: ['MANY-0001'] })
    await sql`
      insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at)
      select k.store_id, k.variant_id, '', decode(md5(n::text), 'hex'), 'available', k.created_at
        from stock_key k, generate_series(1, 20000) as n
       where k.variant_id = ${game.variantId}`.execute(tradepost.db)
    await sql`update stock set on_hand = 20001 where variant_id = ${game.variantId}`.execute(
      tradepost.db,
    )
    await order(tradepost, game.id)
    let answer: Json
    const statements = await tradepost.statements(async () => {
      answer = (await tradepost.delete(path(game))).json
    })
    expect(answer).toEqual({ success: true, deleted: true, count: 20_000 })
    expect(statements.filter((item) => item.includes('delete from stock_key'))).toHaveLength(2)
    expect(await stockOf(game)).toEqual([0])
    expect(await tradepost.events()).toContain('product.out_of_stock')
    expect(await listed(game)).toMatchObject([{ value: 'MANY-0001' }])
  })

  test('of a variant that is not on sale emits nothing if the product ran out before', async () => {
    const variants = [{ name: 'A' }, { name: 'Old', active: false }]
    const game = await product(tradepost, { variants }, { keys: ['ACTIVE-0001'] })
    const old = { ...game, variantId: game.product.variants[1].id }
    await tradepost.post(path(old), { keys: ['INACTIVE-0001'] })
    await order(tradepost, game.id, { mark_paid: true })
    expect(
      (await tradepost.events()).filter((type) => type === 'product.out_of_stock'),
    ).toHaveLength(1)
    await tradepost.delete(path(old))
    expect(await tradepost.events()).toEqual([])
  })
})

test('keys are nowhere in clear: not in their table, events, answers kept, or under their hash', async () => {
  const marker = 'MARKER-9f3a-KEY'
  const game = await product(tradepost, {}, { keys: [marker] })
  const body = { keys: [`${marker}-2`] }
  await tradepost.post(path(game), body, { headers: { 'idempotency-key': 'secret-keys' } })
  const buy = {
    items: [{ product_id: game.id, quantity: 1 }],
    customer: { email: 'a@example.com' },
  }
  const bought = await tradepost.post(
    '/orders',
    { ...buy, mark_paid: true },
    { headers: { 'idempotency-key': 'secret-order' } },
  )
  expect(bought.text).toContain(marker)
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(tradepost.db)
  expect(tables.length).toBeGreaterThan(15)
  const hex = Buffer.from(marker).toString('hex')
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.raw(name)} t
       where t::text like ${`%${marker}%`} or t::text like ${`%${hex}%`}`.execute(tradepost.db)
    expect(rows[0]?.count, name).toBe(0)
  }
})
