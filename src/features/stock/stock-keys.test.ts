import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, type Stocked } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'

let shop: Tradepost

beforeAll(async () => {
  shop = await openTradepost()
})
afterAll(() => shop.close())

const path = ({ id, variantId }: Stocked) => `/products/${id}/variants/${variantId}/keys`
const stockOf = async ({ id }: Stocked): Promise<number[]> =>
  (await shop.get(`/products/${id}`)).json.variants.map((one: Json) => one.stock_quantity)
const listed = async (game: Stocked, query = ''): Promise<Json[]> =>
  (await shop.get(`${path(game)}?reveal=true&limit=100${query}`)).json.keys

describe('adding keys', () => {
  test('counts them into stock, and tells of it once a call', async () => {
    const game = await product(shop)
    await shop.events()
    const { status, json } = await shop.post(path(game), { keys: keysNamed('ADD-KEY', 3) })
    expect([status, json]).toEqual([201, { success: true, added: 3, skipped: 0 }])
    expect(await stockOf(game)).toEqual([3])
    expect(await shop.events()).toEqual(['product.restocked'])
    const told = (await shop.payloads('product.restocked')).at(-1)
    expect(told).toMatchObject({
      object: 'event',
      type: 'product.restocked',
      livemode: true,
      store: { id: shop.live.id, name: 'Here', slug: 'here' },
    })
    expect(told.data.object).toEqual({
      object: 'product',
      id: game.id,
      name: 'Game',
      slug: game.product.product.slug,
      status: 'active',
      stock: 3,
      added: 3,
    })
  })

  test('skips what stands twice in the call and what is there already', async () => {
    const game = await product(shop, {}, { keys: ['SKIP-0001', 'SKIP-0002'] })
    const keys = ['SKIP-0003', 'SKIP-0002', 'SKIP-0003', 'skip-0001']
    expect((await shop.post(path(game), { keys })).json).toMatchObject({ added: 2, skipped: 2 })
    expect((await listed(game)).map((key) => key.value)).toEqual([
      'skip-0001',
      'SKIP-0003',
      'SKIP-0002',
      'SKIP-0001',
    ])
    expect(await stockOf(game)).toEqual([4])
  })

  test('tells of nothing where nothing was new', async () => {
    const game = await product(shop, {}, { keys: ['SAME-0001'] })
    await shop.events()
    const { status, json } = await shop.post(path(game), { keys: ['SAME-0001'] })
    expect([status, json.added, json.skipped]).toEqual([201, 0, 1])
    expect(await shop.events()).toEqual([])
  })

  test.each([
    ['is there already', ['NEW-0001', 'OLD-0001'], 'keys[1]'],
    ['stands twice in the call', ['NEW-0001', 'NEW-0002', 'NEW-0001'], 'keys[2]'],
  ])('without skip_duplicates, a key that %s refuses the whole call', async (_, keys, field) => {
    const game = await product(shop, {}, { keys: ['OLD-0001'] })
    await shop.events()
    const { status, json } = await shop.post(path(game), { keys, skip_duplicates: false })
    expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(json.details).toMatchObject({ field, reason: 'taken' })
    expect((await listed(game)).map((key) => key.value)).toEqual(['OLD-0001'])
    expect(await stockOf(game)).toEqual([1])
    expect(await shop.events()).toEqual([])
  })

  test('a key that was sold is a duplicate too', async () => {
    const game = await product(shop, {}, { keys: ['SOLD-0001'] })
    await order(shop, game.id, { mark_paid: true })
    const again = await shop.post(path(game), { keys: ['SOLD-0001'] })
    expect(again.json).toMatchObject({ added: 0, skipped: 1 })
    const strict = await shop.post(path(game), { keys: ['SOLD-0001'], skip_duplicates: false })
    expect([strict.status, strict.json.details.field]).toEqual([422, 'keys[0]'])
  })

  test('the same key may be in another variant, another product and another store', async () => {
    const variants = [{ name: 'A' }, { name: 'B' }]
    const game = await product(shop, { variants }, { keys: ['SHARED-0001'] })
    const sibling = { ...game, variantId: game.product.variants[1].id }
    const keys = ['SHARED-0001']
    expect((await shop.post(path(sibling), { keys })).json.added).toBe(1)
    await product(shop, {}, { keys })
    await product(shop, {}, { keys, as: shop.other })
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
    const game = await product(shop, {}, { keys })
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
    const game = await product(shop)
    const { status, json } = await shop.post(path(game), body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('only a serial variant takes keys', async () => {
    const service = await product(shop, { type: 'service' })
    const { status, json } = await shop.post(path(service), { keys: ['A'] })
    expect([status, json.details.field]).toEqual([422, 'variant_id'])
  })
})

describe('reading keys', () => {
  test('shows the last four, nothing of a short one, and all of it with reveal=true', async () => {
    const game = await product(shop, {}, { keys: ['SHORT-KEY-1', 'LONGER-KEY-2'] })
    const masked = await shop.get(path(game))
    expect(masked.json.keys.map((key: Json) => key.value)).toEqual(['••••EY-2', '••••'])
    expect(masked.text).not.toMatch(/SHORT|LONGER/)
    const shown = await shop.get(`${path(game)}?reveal=true`)
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
    const game = await product(shop, {}, { keys: keysNamed('STATUS', 3) })
    const { id } = await order(shop, game.id, { mark_paid: true })
    expect(await listed(game, '&status=sold')).toMatchObject([
      { value: 'STATUS-000001', order_id: id, sold_at: expect.stringMatching(/Z$/) },
    ])
    expect(await listed(game, '&status=available')).toHaveLength(2)
    expect(await listed(game, '&status=available,sold')).toHaveLength(3)
    expect(await listed(game, '&status=burned')).toEqual([])
    const page = await shop.get(`${path(game)}?limit=2&offset=1`)
    expect(page.json.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false })
  })

  test('needs stock:read: a key for the catalogue does not do', async () => {
    const game = await product(shop)
    const as = await shop.key({ permissions: ['products:read', 'products:write'] })
    for (const call of [
      await shop.get(path(game), { as }),
      await shop.post(path(game), { keys: ['A'] }, { as }),
      await shop.delete(path(game), { as }),
    ]) {
      expect([call.status, call.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    }
  })

  test('of another store, another product, or no variant is NOT_FOUND, as is writing', async () => {
    const game = await product(shop, {}, { keys: ['MINE-0001'] })
    const stranger = await product(shop)
    const paths = [
      path({ ...game, id: stranger.id }),
      path({ ...game, variantId: 999_999_999 }),
      `/products/${game.id}/variants/abc/keys`,
    ]
    for (const one of paths) {
      expect((await shop.get(one)).status, one).toBe(404)
      expect((await shop.post(one, { keys: ['A'] })).status, one).toBe(404)
      expect((await shop.delete(one)).status, one).toBe(404)
    }
    expect((await shop.get(path(game), { as: shop.other })).status).toBe(404)
    expect((await shop.delete(path(game), { as: shop.other })).status).toBe(404)
    expect(await stockOf(game)).toEqual([1])
  })
})

describe('deleting keys', () => {
  const idOf = async (game: Stocked, value: string): Promise<number> =>
    (await listed(game)).find((key) => key.value === value)?.id

  test('an available key goes, and stock with it', async () => {
    const game = await product(shop, {}, { keys: keysNamed('DEL', 2) })
    const id = await idOf(game, 'DEL-000001')
    await shop.events()
    const { status, json } = await shop.delete(`${path(game)}/${id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
    expect(await stockOf(game)).toEqual([1])
    expect(await shop.events()).toEqual([])
    expect((await shop.delete(`${path(game)}/${id}`)).status).toBe(404)
  })

  test('the last one tells that the product is out of stock', async () => {
    const game = await product(shop, {}, { keys: ['LAST-0001'] })
    await shop.events()
    await shop.delete(`${path(game)}/${await idOf(game, 'LAST-0001')}`)
    expect(await shop.events()).toEqual(['product.out_of_stock'])
  })

  test('a sold key stays', async () => {
    const game = await product(shop, {}, { keys: ['GONE-0001'] })
    await order(shop, game.id, { mark_paid: true })
    const { status, json } = await shop.delete(`${path(game)}/${await idOf(game, 'GONE-0001')}`)
    expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'sold'])
  })

  test('what an unpaid order holds cannot be taken from under it', async () => {
    const game = await product(shop, {}, { keys: keysNamed('HELD', 2) })
    const held = await order(shop, game.id)
    expect((await shop.delete(`${path(game)}/${await idOf(game, 'HELD-000002')}`)).status).toBe(200)
    const last = await shop.delete(`${path(game)}/${await idOf(game, 'HELD-000001')}`)
    expect([last.status, last.json.code]).toEqual([409, 'INVALID_STATE'])
    const paid = await shop.post(`/orders/${held.id}/manual-payments`, {})
    expect(paid.json.order.deliveries[0].keys).toEqual(['HELD-000001'])
  })

  test('all at once: those that nobody holds, and out of stock is told once', async () => {
    const game = await product(shop, {}, { keys: keysNamed('ALL', 4) })
    await order(shop, game.id)
    await shop.events()
    expect((await shop.delete(path(game))).json).toEqual({ success: true, deleted: true, count: 3 })
    expect(await stockOf(game)).toEqual([0])
    expect(await shop.events()).toEqual(['product.out_of_stock'])
    expect((await shop.delete(path(game))).json.count).toBe(0)
    expect(await shop.events()).toEqual([])
    expect(await listed(game)).toHaveLength(1)
  })

  test('all at once: no statement takes more than a part of many', async () => {
    const game = await product(shop, {}, { keys: ['MANY-0001'] })
    await sql`
      insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at)
      select k.store_id, k.variant_id, '', decode(md5(n::text), 'hex'), 'available', k.created_at
        from stock_key k, generate_series(1, 20000) as n
       where k.variant_id = ${game.variantId}`.execute(shop.db)
    await sql`update stock set on_hand = 20001 where variant_id = ${game.variantId}`.execute(
      shop.db,
    )
    await order(shop, game.id)
    let answer: Json
    const statements = await shop.statements(async () => {
      answer = (await shop.delete(path(game))).json
    })
    expect(answer).toEqual({ success: true, deleted: true, count: 20_000 })
    expect(statements.filter((one) => one.includes('delete from stock_key'))).toHaveLength(2)
    expect(await stockOf(game)).toEqual([0])
    expect(await shop.events()).toContain('product.out_of_stock')
    expect(await listed(game)).toMatchObject([{ value: 'MANY-0001' }])
  })

  test('of a variant that is not on sale does not tell again of a product that ran out before', async () => {
    const variants = [{ name: 'A' }, { name: 'Old', active: false }]
    const game = await product(shop, { variants }, { keys: ['ACTIVE-0001'] })
    const old = { ...game, variantId: game.product.variants[1].id }
    await shop.post(path(old), { keys: ['INACTIVE-0001'] })
    await order(shop, game.id, { mark_paid: true })
    expect((await shop.events()).filter((type) => type === 'product.out_of_stock')).toHaveLength(1)
    await shop.delete(path(old))
    expect(await shop.events()).toEqual([])
  })
})

test('keys are nowhere in clear: not in their table, events, answers kept, or under their hash', async () => {
  const marker = 'MARKER-9f3a-KEY'
  const game = await product(shop, {}, { keys: [marker] })
  const body = { keys: [`${marker}-2`] }
  await shop.post(path(game), body, { headers: { 'idempotency-key': 'secret-keys' } })
  const buy = {
    items: [{ product_id: game.id, quantity: 1 }],
    customer: { email: 'a@example.com' },
  }
  const bought = await shop.post(
    '/orders',
    { ...buy, mark_paid: true },
    { headers: { 'idempotency-key': 'secret-order' } },
  )
  expect(bought.text).toContain(marker)
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(shop.db)
  expect(tables.length).toBeGreaterThan(15)
  const hex = Buffer.from(marker).toString('hex')
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.raw(name)} t
       where t::text like ${`%${marker}%`} or t::text like ${`%${hex}%`}`.execute(shop.db)
    expect(rows[0]?.count, name).toBe(0)
  }
})
