import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CreatedProduct, keysNamed, order, orderOf, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const keysPath = ({ id, variantId }: CreatedProduct) => `/products/${id}/variants/${variantId}/keys`
const stockQuantities = async ({ id }: CreatedProduct): Promise<number[]> =>
  (await tradepost.get(`/products/${id}`)).json.variants.map((item: Json) => item.stock_quantity)
const listKeys = async (game: CreatedProduct, query = ''): Promise<Json[]> =>
  (await tradepost.get(`${keysPath(game)}?reveal=true&limit=100${query}`)).json.keys

describe('added keys', () => {
  test('are counted in the stock, and emit one product.restocked for each call', async () => {
    const game = await product(tradepost)
    await tradepost.events()
    const { status, json } = await tradepost.post(keysPath(game), { keys: keysNamed('ADD-KEY', 3) })
    expect([status, json]).toEqual([201, { success: true, added: 3, skipped: 0 }])
    expect(await stockQuantities(game)).toEqual([3])
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const payload = (await tradepost.payloads('product.restocked')).at(-1)
    expect(payload).toMatchObject({
      object: 'event',
      type: 'product.restocked',
      livemode: true,
      store: { id: tradepost.live.id, name: 'Here', slug: 'here' },
    })
    expect(payload.data.object).toEqual({
      object: 'product',
      id: game.id,
      name: 'Game',
      slug: game.product.product.slug,
      status: 'active',
      stock: 3,
      added: 3,
    })
  })

  test.each([
    ['manual', { stock_mode: 'manual', stock_quantity: 5 }, 5],
    ['unlimited', { stock_mode: 'unlimited' }, 0],
  ])(
    'are not the stock of a variant in the mode %s, and emit no event',
    async (_, patch, stock) => {
      const game = await product(tradepost)
      const path = `/products/${game.id}/variants/${game.variantId}`
      await expectSuccess(tradepost.patch(path, patch))
      await tradepost.events()
      const { json } = await tradepost.post(keysPath(game), { keys: keysNamed('NO-STOCK', 2) })
      expect(json).toMatchObject({ added: 2 })
      expect(await stockQuantities(game)).toEqual([stock])
      expect(await tradepost.events()).toEqual([])
    },
  )

  test('are skipped if they are repeated in the call or already in stock', async () => {
    const game = await product(tradepost, {}, { keys: ['SKIP-0001', 'SKIP-0002'] })
    const keys = ['SKIP-0003', 'SKIP-0002', 'SKIP-0003', 'skip-0001']
    expect((await tradepost.post(keysPath(game), { keys })).json).toMatchObject({
      added: 2,
      skipped: 2,
    })
    expect((await listKeys(game)).map((key) => key.value)).toEqual([
      'skip-0001',
      'SKIP-0003',
      'SKIP-0002',
      'SKIP-0001',
    ])
    expect(await stockQuantities(game)).toEqual([4])
  })

  test('emit nothing if no key is new', async () => {
    const game = await product(tradepost, {}, { keys: ['SAME-0001'] })
    await tradepost.events()
    const { status, json } = await tradepost.post(keysPath(game), { keys: ['SAME-0001'] })
    expect([status, json.added, json.skipped]).toEqual([201, 0, 1])
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    ['is already in stock', ['NEW-0001', 'OLD-0001'], 'keys[1]'],
    ['is repeated in the call', ['NEW-0001', 'NEW-0002', 'NEW-0001'], 'keys[2]'],
  ])('are all refused if one key %s and skip_duplicates is not set', async (_, keys, field) => {
    const game = await product(tradepost, {}, { keys: ['OLD-0001'] })
    await tradepost.events()
    const { status, json } = await tradepost.post(keysPath(game), { keys, skip_duplicates: false })
    expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(json.details).toMatchObject({ field, reason: 'taken' })
    expect((await listKeys(game)).map((key) => key.value)).toEqual(['OLD-0001'])
    expect(await stockQuantities(game)).toEqual([1])
    expect(await tradepost.events()).toEqual([])
  })

  test('are skipped or refused if they equal a sold key', async () => {
    const game = await product(tradepost, {}, { keys: ['SOLD-0001'] })
    await order(tradepost, game.id, { mark_paid: true })
    const secondAddition = await tradepost.post(keysPath(game), { keys: ['SOLD-0001'] })
    expect(secondAddition.json).toMatchObject({ added: 0, skipped: 1 })
    const refusal = await tradepost.post(keysPath(game), {
      keys: ['SOLD-0001'],
      skip_duplicates: false,
    })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'keys[0]'])
  })

  test('may equal keys of another variant, product or store', async () => {
    const variants = [{ name: 'A' }, { name: 'B' }]
    const game = await product(tradepost, { variants }, { keys: ['SHARED-0001'] })
    const sibling = { ...game, variantId: game.product.variants[1].id }
    const keys = ['SHARED-0001']
    expect((await tradepost.post(keysPath(sibling), { keys })).json.added).toBe(1)
    await product(tradepost, {}, { keys })
    await product(tradepost, {}, { keys, as: tradepost.other })
    expect(await stockQuantities(game)).toEqual([1, 1])
  })

  test('keep their letters, spaces and lines', async () => {
    const keys = [
      '  spaced ',
      'line 1\nline 2\ttab',
      'line 1\r\nline 2\n',
      'Ключ-😀',
      '😀'.repeat(2048),
    ]
    const game = await product(tradepost, {}, { keys })
    expect((await listKeys(game)).map((key) => key.value).reverse()).toEqual(keys)
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
    ['no field', {}, 'keys'],
  ])('are refused with %s', async (_, body, field) => {
    const game = await product(tradepost)
    const { status, json } = await tradepost.post(keysPath(game), body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('are accepted by serial variants only', async () => {
    const service = await product(tradepost, { type: 'service' })
    const { status, json } = await tradepost.post(keysPath(service), { keys: ['A'] })
    expect([status, json.details.field]).toEqual([422, 'variant_id'])
  })
})

describe('a list of keys', () => {
  test('shows the last four characters, nothing of a short key, and the whole key with reveal=true', async () => {
    const game = await product(tradepost, {}, { keys: ['SHORT-KEY-1', 'LONGER-KEY-2'] })
    const maskedList = await tradepost.get(keysPath(game))
    expect(maskedList.json.keys.map((key: Json) => key.value)).toEqual(['••••EY-2', '••••'])
    expect(maskedList.text).not.toMatch(/SHORT|LONGER/)
    const completeList = await tradepost.get(`${keysPath(game)}?reveal=true`)
    expect(completeList.json.keys).toEqual([
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
    expect(completeList.json.pagination).toEqual({
      total: 2,
      limit: 25,
      offset: 0,
      has_more: false,
    })
  })

  test('is filtered by status, and shows the order of a sold key', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('STATUS', 3) })
    const { id } = await order(tradepost, game.id, { mark_paid: true })
    expect(await listKeys(game, '&status=sold')).toMatchObject([
      { value: 'STATUS-000001', order_id: id, sold_at: expect.stringMatching(/Z$/) },
    ])
    expect(await listKeys(game, '&status=available')).toHaveLength(2)
    expect(await listKeys(game, '&status=available,sold')).toHaveLength(3)
    expect(await listKeys(game, '&status=burned')).toEqual([])
    const page = await tradepost.get(`${keysPath(game)}?limit=2&offset=1`)
    expect(page.json.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false })
  })

  test('needs stock:read, a change of it needs stock:write, and permissions for products include neither', async () => {
    const game = await product(tradepost)
    const as = await tradepost.key({ permissions: ['products:read', 'products:write'] })
    for (const { status, json } of [
      await tradepost.get(keysPath(game), { as }),
      await tradepost.post(keysPath(game), { keys: ['A'] }, { as }),
      await tradepost.delete(keysPath(game), { as }),
    ]) {
      expect([status, json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    }
  })

  test('of another store, another product or an unknown variant answers 404, as do changes', async () => {
    const game = await product(tradepost, {}, { keys: ['MINE-0001'] })
    const otherProduct = await product(tradepost)
    const paths = [
      keysPath({ ...game, id: otherProduct.id }),
      keysPath({ ...game, variantId: 999_999_999 }),
      `/products/${game.id}/variants/abc/keys`,
    ]
    for (const path of paths) {
      expect((await tradepost.get(path)).status, path).toBe(404)
      expect((await tradepost.post(path, { keys: ['A'] })).status, path).toBe(404)
      expect((await tradepost.delete(path)).status, path).toBe(404)
    }
    expect((await tradepost.get(keysPath(game), { as: tradepost.other })).status).toBe(404)
    expect((await tradepost.delete(keysPath(game), { as: tradepost.other })).status).toBe(404)
    expect(await stockQuantities(game)).toEqual([1])
  })
})

describe('the deletion of keys', () => {
  const idOf = async (game: CreatedProduct, value: string): Promise<number> =>
    (await listKeys(game)).find((key) => key.value === value)?.id

  test('removes an available key from the stock', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('DEL', 2) })
    const id = await idOf(game, 'DEL-000001')
    await tradepost.events()
    const { status, json } = await tradepost.delete(`${keysPath(game)}/${id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
    expect(await stockQuantities(game)).toEqual([1])
    expect(await tradepost.events()).toEqual([])
    expect((await tradepost.delete(`${keysPath(game)}/${id}`)).status).toBe(404)
  })

  test('emits product.out_of_stock for the last key', async () => {
    const game = await product(tradepost, {}, { keys: ['LAST-0001'] })
    await tradepost.events()
    await expectSuccess(tradepost.delete(`${keysPath(game)}/${await idOf(game, 'LAST-0001')}`))
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })

  test('is refused for a sold key', async () => {
    const game = await product(tradepost, {}, { keys: ['GONE-0001'] })
    await order(tradepost, game.id, { mark_paid: true })
    const { status, json } = await tradepost.delete(
      `${keysPath(game)}/${await idOf(game, 'GONE-0001')}`,
    )
    expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'sold'])
  })

  test('is refused for the last key if an unpaid order reserves a key', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('HELD', 2) })
    const unpaidOrder = await order(tradepost, game.id)
    expect(
      (await tradepost.delete(`${keysPath(game)}/${await idOf(game, 'HELD-000002')}`)).status,
    ).toBe(200)
    const reservedKey = await tradepost.delete(
      `${keysPath(game)}/${await idOf(game, 'HELD-000001')}`,
    )
    expect([reservedKey.status, reservedKey.json.code]).toEqual([409, 'INVALID_STATE'])
    const payment = await tradepost.post(`/orders/${unpaidOrder.id}/manual-payments`, {})
    expect(payment.json.order.deliveries[0].keys).toEqual(['HELD-000001'])
  })

  test('of all keys removes the unreserved ones, and emits one product.out_of_stock', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('ALL', 4) })
    await order(tradepost, game.id)
    await tradepost.events()
    expect((await tradepost.delete(keysPath(game))).json).toEqual({
      success: true,
      deleted: true,
      count: 3,
    })
    expect(await stockQuantities(game)).toEqual([0])
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    expect((await tradepost.delete(keysPath(game))).json.count).toBe(0)
    expect(await tradepost.events()).toEqual([])
    expect(await listKeys(game)).toHaveLength(1)
  })

  test('of all keys of a variant runs in batches', async () => {
    const game = await product(tradepost, {}, { keys: ['MANY-0001'] })
    await sql`
      insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at)
      select store_id, variant_id, '', decode(md5(n::text), 'hex'), 'available', created_at
        from stock_key, generate_series(1, 20000) as n
       where variant_id = ${game.variantId}`.execute(tradepost.db)
    await sql`update stock set on_hand = 20001 where variant_id = ${game.variantId}`.execute(
      tradepost.db,
    )
    await order(tradepost, game.id)
    let answer: Json
    const statements = await tradepost.statements(async () => {
      answer = (await tradepost.delete(keysPath(game))).json
    })
    expect(answer).toEqual({ success: true, deleted: true, count: 20_000 })
    expect(statements.filter((item) => item.includes('delete from stock_key'))).toHaveLength(2)
    expect(await stockQuantities(game)).toEqual([0])
    expect(await tradepost.events()).toContain('product.out_of_stock')
    expect(await listKeys(game)).toMatchObject([{ value: 'MANY-0001' }])
  })

  test('of an inactive variant emits no event if the product is already out of stock', async () => {
    const variants = [{ name: 'A' }, { name: 'Old', active: false }]
    const game = await product(tradepost, { variants }, { keys: ['ACTIVE-0001'] })
    const inactive = { ...game, variantId: game.product.variants[1].id }
    await expectSuccess(tradepost.post(keysPath(inactive), { keys: ['INACTIVE-0001'] }))
    await order(tradepost, game.id, { mark_paid: true })
    expect(
      (await tradepost.events()).filter((type) => type === 'product.out_of_stock'),
    ).toHaveLength(1)
    await expectSuccess(tradepost.delete(keysPath(inactive)))
    expect(await tradepost.events()).toEqual([])
  })
})

test('no table contains a stock key in plain text, not even in events and stored answers', async () => {
  const key = 'MARKER-9f3a-KEY'
  const game = await product(tradepost, {}, { keys: [key] })
  const body = { keys: [`${key}-2`] }
  await expectSuccess(
    tradepost.post(keysPath(game), body, { headers: { 'idempotency-key': 'secret-keys' } }),
  )
  const answer = await tradepost.post('/orders', orderOf(game.id, { mark_paid: true }), {
    headers: { 'idempotency-key': 'secret-order' },
  })
  expect(answer.text).toContain(key)
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(tradepost.db)
  expect(tables.length).toBeGreaterThan(15)
  const hex = Buffer.from(key).toString('hex')
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.raw(name)} as any_row
       where any_row::text like ${`%${key}%`} or any_row::text like ${`%${hex}%`}`.execute(
      tradepost.db,
    )
    expect(rows[0]?.count, name).toBe(0)
  }
})
