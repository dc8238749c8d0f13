import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { addKeys, keysNamed, orderOf, product } from '../build.ts'
import type { Answer, Json, Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import {
  faultsOfEnvelope,
  fingerprintRows,
  openUnlimited,
  prepare,
  send,
} from './prepared-calls.ts'
import { expectReplay, keyed, replayedParts } from './replay.ts'

// The header Idempotency-Key of every POST (decisions 10 and 10a).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

let lastKey = 0
const newKey = () => `key-${++lastKey}`
/** Returns a fingerprint of all rows except the stored answers. */
async function fingerprintEffects(): Promise<Record<string, string>> {
  const { idempotent_answer: _, ...effects } = await fingerprintRows(tradepost)
  return effects
}

const posts = storeEndpoints.filter(({ method }) => method === 'POST')

describe('a repeated POST', () => {
  test.each(walk(posts))(
    'of $id gets the first answer byte for byte, without a second effect',
    async (endpoint) => {
      const input = await prepare(tradepost, endpoint)
      const key = newKey()
      const first = await send(tradepost, endpoint, input, keyed(key))
      expect(first.status, first.text).toBe(endpoint.status ?? 200)
      const after = await fingerprintEffects()
      for (let n = 0; n < 3; n++)
        expectReplay(await send(tradepost, endpoint, input, keyed(key)), first)
      expect(await fingerprintEffects()).toEqual(after)
    },
  )

  test.each(walk(posts))(
    'of $id that is sent five times at once has one effect',
    async (endpoint) => {
      const input = await prepare(tradepost, endpoint)
      const key = newKey()
      const before = await countStoredAnswers(key)
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => send(tradepost, endpoint, input, keyed(key))),
      )
      const executedCalls = answers.filter(
        ({ status, headers }) => status < 300 && headers['idempotency-replayed'] === undefined,
      )
      expect(executedCalls).toHaveLength(1)
      for (const answer of answers) {
        if (answer === executedCalls[0]) continue
        if (answer.headers['idempotency-replayed'] === 'true') {
          expect(replayedParts(answer)).toEqual(replayedParts(executedCalls[0] as Answer))
          continue
        }
        expect(answer.json).toMatchObject({ success: false, code: 'IDEMPOTENCY_IN_PROGRESS' })
        expect(answer.status).toBe(409)
        expect(answer.headers['retry-after']).toBe('1')
        expect(faultsOfEnvelope(answer)).toEqual([])
      }
      expect(before).toBe(0)
      expect(await countStoredAnswers(key)).toBe(1)
      expectReplay(await send(tradepost, endpoint, input, keyed(key)), executedCalls[0] as Answer)
    },
  )

  test.each(walk(posts))(
    'of $id gets the first answer in each of five concurrent repeats',
    async (endpoint) => {
      const input = await prepare(tradepost, endpoint)
      const key = newKey()
      const first = await send(tradepost, endpoint, input, keyed(key))
      const repeats = await Promise.all(
        Array.from({ length: 5 }, () => send(tradepost, endpoint, input, keyed(key))),
      )
      for (const repeat of repeats) expectReplay(repeat, first)
    },
  )

  test('of an order records its events once', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    await tradepost.events()
    const key = newKey()
    const body = orderOf(id, { customer: { email: 'once@example.com' } })
    const first = await tradepost.post('/orders', body, keyed(key))
    expectReplay(await tradepost.post('/orders', body, keyed(key)), first)
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  })
})

const countStoredAnswers = async (key: string): Promise<number> => {
  const { rows: counts } = await sql<{ count: number }>`
    select count(*) as count from idempotent_answer where key = ${key}`.execute(tradepost.db)
  return counts[0]?.count ?? 0
}

describe('a used idempotency key with another request', () => {
  test.each([
    ['another body', '/products', { name: 'B', price_cents: 1 }],
    ['another path', '/orders', { name: 'A', price_cents: 1 }],
    ['another query', '/products?x=1', { name: 'A', price_cents: 1 }],
  ])('is refused for %s, and nothing changes', async (_difference, path, body) => {
    const key = newKey()
    expect(
      (await tradepost.post('/products', { name: 'A', price_cents: 1 }, keyed(key))).status,
    ).toBe(201)
    const before = await fingerprintRows(tradepost)
    const answer = await tradepost.post(path, body, keyed(key))
    expect(answer.status).toBe(422)
    expect(answer.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(faultsOfEnvelope(answer)).toEqual([])
    expect(await fingerprintRows(tradepost)).toEqual(before)
  })

  test('is refused for the same JSON with other spaces, because raw bytes are compared', async () => {
    const key = newKey()
    const raw = '{"name":"A","price_cents":1}'
    expect((await tradepost.call('POST', '/products', { raw, ...keyed(key) })).status).toBe(201)
    const withSpace = await tradepost.call('POST', '/products', {
      raw: raw.replace(',', ', '),
      ...keyed(key),
    })
    expect(withSpace.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is refused before the body is checked', async () => {
    const key = newKey()
    await tradepost.post('/products', { name: 'A', price_cents: 1 }, keyed(key))
    const answer = await tradepost.call('POST', '/products', { raw: 'no json', ...keyed(key) })
    expect(answer.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('the scope of an idempotency key is one store and one API key:', () => {
  const body = { name: 'Scoped', price_cents: 1 }

  test('a call with another API key of the store is executed', async () => {
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

  test('a call with the same API key to another store is executed', async () => {
    const key = newKey()
    const { rows: stores } = await sql<{ id: number }>`
      select id from store where hash in (${tradepost.live.id}, ${tradepost.other.id})`.execute(
      tradepost.db,
    )
    const as = await tradepost.key({ store_ids: stores.map(({ id }) => id) })
    const here = await tradepost.post('/products', body, { as, ...keyed(key) })
    const there = await tradepost.post('/products', body, {
      as: { ...as, id: tradepost.other.id },
      ...keyed(key),
    })
    expect([here.status, there.status]).toEqual([201, 201])
    expect(there.headers['idempotency-replayed']).toBeUndefined()
    expect(there.json.product.id).not.toBe(here.json.product.id)
  })

  test('a repeated call without an idempotency key is executed', async () => {
    const first = await tradepost.post('/products', body)
    const second = await tradepost.post('/products', body)
    expect(second.json.product.id).not.toBe(first.json.product.id)
  })
})

describe('a refusal', () => {
  test('by the use case is stored and replayed, even if the call would succeed now', async () => {
    const game = await product(tradepost)
    const key = newKey()
    const refused = await tradepost.post('/orders', orderOf(game.id), keyed(key))
    expect(refused).toMatchObject({ status: 409, json: { code: 'OUT_OF_STOCK' } })
    await addKeys(tradepost, game, keysNamed('LATER-ABCD', 1))
    const before = await fingerprintEffects()
    const secondAnswer = await tradepost.post('/orders', orderOf(game.id), keyed(key))
    expectReplay(secondAnswer, refused)
    expect(secondAnswer.json.request_id).toBe(refused.headers['x-request-id'])
    expect(await fingerprintEffects()).toEqual(before)
    expect((await tradepost.post('/orders', orderOf(game.id), keyed(newKey()))).status).toBe(201)
  })

  test('by the use case rolls back its writes', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('HALF-ABCDE', 1) })
    const before = await fingerprintEffects()
    const body = {
      items: [
        { product_id: game.id, quantity: 1 },
        { product_id: game.id, quantity: 1 },
      ],
      customer: { email: 'half@example.com' },
    }
    const refused = await tradepost.post('/orders', body, keyed(newKey()))
    expect(refused.json.code).toBe('OUT_OF_STOCK')
    expect(await fingerprintEffects()).toEqual(before)
  })

  test.each<[string, Json, string]>([
    ['a body that the shape refuses', { price_cents: 1 }, 'VALIDATION_FAILED'],
    ['an unknown field', { name: 'A', price_cents: 1, nope: 1 }, 'VALIDATION_FAILED'],
  ])(
    'for %s is not stored, so the corrected call can use the same key',
    async (_fault, invalidBody, code) => {
      const key = newKey()
      expect((await tradepost.post('/products', invalidBody, keyed(key))).json.code).toBe(code)
      expect(await countStoredAnswers(key)).toBe(0)
      const corrected = await tradepost.post(
        '/products',
        { name: 'Corrected', price_cents: 1 },
        keyed(key),
      )
      expect(corrected.status).toBe(201)
      expect(corrected.headers['idempotency-replayed']).toBeUndefined()
    },
  )

  test('with 401, with 403 or for malformed JSON is not stored', async () => {
    const key = newKey()
    const body = { name: 'Unstored', price_cents: 1 }
    const as = await tradepost.key({ permissions: ['orders:write'] })
    expect((await tradepost.post('/products', body, { as, ...keyed(key) })).status).toBe(403)
    const noKey = { headers: { 'x-api-key': '', 'idempotency-key': key } }
    expect((await tradepost.post('/products', body, noKey)).status).toBe(401)
    expect((await tradepost.call('POST', '/products', { raw: '{', ...keyed(key) })).status).toBe(
      400,
    )
    expect(await countStoredAnswers(key)).toBe(0)
    expect((await tradepost.post('/products', body, keyed(key))).status).toBe(201)
  })
})

describe('an idempotency key', () => {
  const body = { name: 'Length', price_cents: 1 }

  test.each([1, 255])('of %d characters is accepted', async (length) => {
    const key = 'k'.repeat(length)
    const first = await tradepost.post('/products', body, keyed(key))
    expect(first.status).toBe(201)
    expectReplay(await tradepost.post('/products', body, keyed(key)), first)
  })

  test.each([0, 256, 4_000])('of %d characters is refused', async (length) => {
    const before = await fingerprintRows(tradepost)
    const answer = await tradepost.post('/products', body, keyed('k'.repeat(length)))
    expect(answer.status).toBe(422)
    expect(answer.json).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'Idempotency-Key' },
    })
    expect(await fingerprintRows(tradepost)).toEqual(before)
  })

  test.each([
    ['a tab', 'retry\t1'],
    ['a letter outside ASCII', 'größe-1'],
    ['a control character', 'retry\x7f1'],
  ])('with %s is refused', async (_, key) => {
    const answer = await tradepost.post('/products', body, keyed(key))
    expect(answer.status).toBe(422)
    expect(answer.json).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'Idempotency-Key' },
    })
  })

  test('with every printable ASCII character is accepted', async () => {
    const key = String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 0x20 + n)).trim()
    const first = await tradepost.post('/products', body, keyed(key))
    expect(first.status).toBe(201)
    expectReplay(await tradepost.post('/products', body, keyed(key)), first)
  })

  test('has no effect on GET and PATCH, which are executed each time', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    for (const price_cents of [1, 2]) {
      const { json } = await tradepost.patch(`/products/${id}`, { price_cents }, keyed(key))
      expect(json.product.price_cents).toBe(price_cents)
    }
    expect((await tradepost.get('/products', keyed(key))).status).toBe(200)
    expect(await countStoredAnswers(key)).toBe(0)
  })
})
