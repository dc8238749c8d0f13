import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { addKeys, keysNamed, orderOf, product } from '../build.ts'
import type { Answer, Json, Tradepost } from '../harness.ts'
import { expectReplay, keyed, onTheWire } from './replay.ts'
import { faultsOfEnvelope, openWalk, prepare, rows, send, unmatchedWalks } from './walk.ts'

/** `Idempotency-Key` on every POST (decisions 10 and 10a; invariants I19 to I21). */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openWalk()
})
afterAll(() => tradepost.close())

let lastKey = 0
const newKey = () => `key-${++lastKey}`
/** The rows without the stored answers. */
async function effects(): Promise<Record<string, string>> {
  const { idempotent_answer: _, ...rest } = await rows(tradepost)
  return rest
}

const posts = storeEndpoints.filter(({ method }) => method === 'POST')

test('every endpoint is walked', () => {
  expect(unmatchedWalks()).toEqual([])
})

describe('a repeated POST', () => {
  test.each(posts)(
    'of $id gets the first answer byte for byte, and does nothing again',
    async (e) => {
      const ask = await prepare(tradepost, e)
      const key = newKey()
      const first = await send(tradepost, e, ask, keyed(key))
      expect(first.status, first.text).toBe(e.status ?? 200)
      const after = await effects()
      for (let n = 0; n < 3; n++) expectReplay(await send(tradepost, e, ask, keyed(key)), first)
      expect(await effects()).toEqual(after)
    },
  )

  test.each(posts)('of $id sent five times at once has one effect', async (e) => {
    const ask = await prepare(tradepost, e)
    const key = newKey()
    const before = await countOf(key)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(tradepost, e, ask, keyed(key))),
    )
    const fresh = answers.filter(
      ({ status, headers }) => status < 300 && headers['idempotency-replayed'] === undefined,
    )
    expect(fresh).toHaveLength(1)
    for (const answer of answers) {
      if (answer === fresh[0]) continue
      if (answer.headers['idempotency-replayed'] === 'true') {
        expect(onTheWire(answer)).toEqual(onTheWire(fresh[0] as Answer))
        continue
      }
      expect(answer.json).toMatchObject({ success: false, code: 'IDEMPOTENCY_IN_PROGRESS' })
      expect(answer.status).toBe(409)
      expect(answer.headers['retry-after']).toBe('1')
      expect(faultsOfEnvelope(answer)).toEqual([])
    }
    expect(before).toBe(0)
    expect(await countOf(key)).toBe(1)
    expectReplay(await send(tradepost, e, ask, keyed(key)), fresh[0] as Answer)
  })

  test.each(posts)(
    'of $id that was answered is sent to all calls that repeat it at once',
    async (e) => {
      const ask = await prepare(tradepost, e)
      const key = newKey()
      const first = await send(tradepost, e, ask, keyed(key))
      const repeats = await Promise.all(
        Array.from({ length: 5 }, () => send(tradepost, e, ask, keyed(key))),
      )
      for (const repeat of repeats) expectReplay(repeat, first)
    },
  )

  test('replays its answer, with one set of events', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    await tradepost.events()
    const key = newKey()
    const body = orderOf(id, { customer: { email: 'told-once@example.com' } })
    await tradepost.post('/orders', body, keyed(key))
    await tradepost.post('/orders', body, keyed(key))
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  })
})

const countOf = async (key: string): Promise<number> => {
  const { rows: found } = await sql<{ count: number }>`
    select count(*) as count from idempotent_answer where key = ${key}`.execute(tradepost.db)
  return found[0]?.count ?? 0
}

describe('the same key with another request', () => {
  test.each([
    ['another body', '/products', { name: 'B', price_cents: 1 }],
    ['another path', '/orders', { name: 'A', price_cents: 1 }],
    ['another query', '/products?x=1', { name: 'A', price_cents: 1 }],
  ])('is refused for %s, and nothing happens', async (_what, path, body) => {
    const key = newKey()
    expect(
      (await tradepost.post('/products', { name: 'A', price_cents: 1 }, keyed(key))).status,
    ).toBe(201)
    const before = await rows(tradepost)
    const answer = await tradepost.post(path, body, keyed(key))
    expect(answer.status).toBe(422)
    expect(answer.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(faultsOfEnvelope(answer)).toEqual([])
    expect(await rows(tradepost)).toEqual(before)
  })

  test('compares raw bytes: the same JSON in other words is another request', async () => {
    const key = newKey()
    const raw = '{"name":"A","price_cents":1}'
    expect((await tradepost.call('POST', '/products', { raw, ...keyed(key) })).status).toBe(201)
    const spaced = await tradepost.call('POST', '/products', {
      raw: raw.replace(',', ', '),
      ...keyed(key),
    })
    expect(spaced.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is refused before the body is checked', async () => {
    const key = newKey()
    await tradepost.post('/products', { name: 'A', price_cents: 1 }, keyed(key))
    const answer = await tradepost.call('POST', '/products', { raw: 'no json', ...keyed(key) })
    expect(answer.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a key is of one store and one API key', () => {
  const body = { name: 'Scoped', price_cents: 1 }

  test('so another API key of the store begins anew', async () => {
    const key = newKey()
    const first = await tradepost.post('/products', body, keyed(key))
    const second = await tradepost.post('/products', body, {
      as: await tradepost.key(),
      ...keyed(key),
    })
    expect(second.status).toBe(201)
    expect(second.headers['idempotency-replayed']).toBeUndefined()
    expect(second.json.product.id).not.toBe(first.json.product.id)
    expectReplay(await tradepost.post('/products', body, keyed(key)), first)
  })

  test('so one API key of two stores begins anew in each', async () => {
    const key = newKey()
    const { rows: both } = await sql<{ id: number }>`
      select id from store where hash in (${tradepost.live.id}, ${tradepost.other.id})`.execute(
      tradepost.db,
    )
    const as = await tradepost.key({ store_ids: both.map(({ id }) => id) })
    const here = await tradepost.post('/products', body, { as, ...keyed(key) })
    const there = await tradepost.post('/products', body, {
      as: { ...as, id: tradepost.other.id },
      ...keyed(key),
    })
    expect([here.status, there.status]).toEqual([201, 201])
    expect(there.headers['idempotency-replayed']).toBeUndefined()
    expect(there.json.product.id).not.toBe(here.json.product.id)
  })

  test('so a call without one is never a repeat', async () => {
    const first = await tradepost.post('/products', body)
    const second = await tradepost.post('/products', body)
    expect(second.json.product.id).not.toBe(first.json.product.id)
  })
})

describe('a refusal', () => {
  test('of the use case is stored and replayed, even if the call would succeed now', async () => {
    const game = await product(tradepost)
    const key = newKey()
    const refused = await tradepost.post('/orders', orderOf(game.id), keyed(key))
    expect(refused).toMatchObject({ status: 409, json: { code: 'OUT_OF_STOCK' } })
    await addKeys(tradepost, game, keysNamed('LATER-ABCD', 1))
    const before = await effects()
    const again = await tradepost.post('/orders', orderOf(game.id), keyed(key))
    expectReplay(again, refused)
    expect(again.json.request_id).toBe(refused.headers['x-request-id'])
    expect(await effects()).toEqual(before)
    expect((await tradepost.post('/orders', orderOf(game.id), keyed(newKey()))).status).toBe(201)
  })

  test('of the use case rolls back its writes', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('HALF-ABCDE', 1) })
    const before = await effects()
    const body = {
      items: [
        { product_id: game.id, quantity: 1 },
        { product_id: game.id, quantity: 1 },
      ],
      customer: { email: 'half@example.com' },
    }
    const refused = await tradepost.post('/orders', body, keyed(newKey()))
    expect(refused.json.code).toBe('OUT_OF_STOCK')
    expect(await effects()).toEqual(before)
  })

  test.each<[string, Json, string]>([
    ['a body that the shape refuses', { price_cents: 1 }, 'VALIDATION_FAILED'],
    ['an unknown field', { name: 'A', price_cents: 1, nope: 1 }, 'VALIDATION_FAILED'],
  ])('of %s is not stored, so the key is free for the right one', async (_what, wrong, code) => {
    const key = newKey()
    expect((await tradepost.post('/products', wrong, keyed(key))).json.code).toBe(code)
    expect(await countOf(key)).toBe(0)
    const right = await tradepost.post('/products', { name: 'Right', price_cents: 1 }, keyed(key))
    expect(right.status).toBe(201)
    expect(right.headers['idempotency-replayed']).toBeUndefined()
  })

  test('before the endpoint is not stored: 401, 403 and malformed JSON', async () => {
    const key = newKey()
    const body = { name: 'Door', price_cents: 1 }
    const as = await tradepost.key({ permissions: ['orders:write'] })
    expect((await tradepost.post('/products', body, { as, ...keyed(key) })).status).toBe(403)
    const noKey = { headers: { 'x-api-key': '', 'idempotency-key': key } }
    expect((await tradepost.post('/products', body, noKey)).status).toBe(401)
    expect((await tradepost.call('POST', '/products', { raw: '{', ...keyed(key) })).status).toBe(
      400,
    )
    expect(await countOf(key)).toBe(0)
    expect((await tradepost.post('/products', body, keyed(key))).status).toBe(201)
  })
})

describe('the key itself', () => {
  const body = { name: 'Length', price_cents: 1 }

  test.each([1, 255])('may have %d characters', async (length) => {
    const key = 'k'.repeat(length)
    const first = await tradepost.post('/products', body, keyed(key))
    expect(first.status).toBe(201)
    expectReplay(await tradepost.post('/products', body, keyed(key)), first)
  })

  test.each([0, 256, 4_000])('may not have %d characters', async (length) => {
    const before = await rows(tradepost)
    const answer = await tradepost.post('/products', body, keyed('k'.repeat(length)))
    expect(answer.status).toBe(422)
    expect(answer.json).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'Idempotency-Key' },
    })
    expect(await rows(tradepost)).toEqual(before)
  })

  test('means nothing where nothing is made: GET and PATCH run each time', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    for (const price_cents of [1, 2]) {
      const { json } = await tradepost.patch(`/products/${id}`, { price_cents }, keyed(key))
      expect(json.product.price_cents).toBe(price_cents)
    }
    expect((await tradepost.get('/products', keyed(key))).status).toBe(200)
    expect(await countOf(key)).toBe(0)
  })
})
