import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdempotency } from '../../src/http/idempotency.ts'
import { type Refusal, unavailable } from '../../src/kernel/errors.ts'
import { DAY_MS, HOUR_MS } from '../../src/kernel/time.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { fromNow } from '../clock.ts'
import type { Tradepost } from '../harness.ts'
import { openUnlimited, pathOf, prepare, send } from './prepared-calls.ts'
import { expectReplay, keyed } from './replay.ts'

// The stored answers of idempotency keys (decisions 10 and 10a).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

let lastKey = 0
const newKey = () => `stored-${++lastKey}`

describe('a stored answer', () => {
  test('is sealed in the database', async () => {
    const key = newKey()
    const { json } = await tradepost.post(
      '/webhooks',
      { url: 'http://127.0.0.1:4199/secret', events: ['*'] },
      keyed(key),
    )
    expect(json.secret).toMatch(/^whsec_/)
    const { rows: storedRows } = await sql<{ row: string; bytes: string }>`
      select t::text as row, encode(body_enc, 'escape') as bytes
        from idempotent_answer t where key = ${key}`.execute(tradepost.db)
    expect(storedRows).toHaveLength(1)
    for (const secretText of [json.secret, json.webhook.id, 'webhook_endpoint', 'success']) {
      expect(storedRows[0]?.row).not.toContain(secretText)
      expect(storedRows[0]?.bytes).not.toContain(secretText)
      expect(storedRows[0]?.row).not.toContain(Buffer.from(secretText).toString('hex'))
    }
  })

  test('is replayed for 24 hours, after which the call is executed', async () => {
    const key = newKey()
    const body = { name: 'Day', price_cents: 1 }
    const first = await tradepost.post('/products', body, keyed(key))
    tradepost.forward(DAY_MS - HOUR_MS)
    expectReplay(await tradepost.post('/products', body, keyed(key)), first)
    tradepost.forward(HOUR_MS)
    const newAnswer = await tradepost.post('/products', body, keyed(key))
    expect(newAnswer.status).toBe(201)
    expect(newAnswer.headers['idempotency-replayed']).toBeUndefined()
    expect(newAnswer.json.product.id).not.toBe(first.json.product.id)
    expectReplay(await tradepost.post('/products', body, keyed(key)), newAnswer)
  })

  test('that has expired does not reserve its key, which another request can use', async () => {
    const key = newKey()
    await tradepost.post('/products', { name: 'Old', price_cents: 1 }, keyed(key))
    tradepost.forward(DAY_MS)
    const otherAnswer = await tradepost.post(
      '/products',
      { name: 'New', price_cents: 1 },
      keyed(key),
    )
    expect(otherAnswer.status).toBe(201)
  })

  test('expires by the clock of its store, which can be ahead on a test side', async () => {
    const key = newKey()
    const as = tradepost.test
    const createProduct = () =>
      tradepost.post('/products', { name: 'Test', price_cents: 1 }, { as, ...keyed(key) })
    const first = await createProduct()
    await tradepost.post('/account/test-clock', { advance: '1d' }, { as })
    expect((await createProduct()).json.product.id).not.toBe(first.json.product.id)
  })

  test('is missing after a crash during the call, and a repeat is refused during the lease and executed after it', async () => {
    const key = newKey()
    const endpoint = storeEndpoints.find(({ id }) => id === 'webhooks.create')
    if (!endpoint) throw new Error('No webhooks.create.')
    const input = await prepare(tradepost, endpoint)
    await send(tradepost, endpoint, input, keyed(key))
    const interruptCall = (leaseEnd: string) =>
      sql`update idempotent_answer set status = null, body_enc = null, running_until = ${leaseEnd}
           where key = ${key}`.execute(tradepost.db)
    await interruptCall(fromNow(HOUR_MS))
    const duringLease = await tradepost.post(pathOf(endpoint, input), input.body, keyed(key))
    expect(duringLease).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_IN_PROGRESS' } })
    expect(duringLease.headers['retry-after']).toBe('1')
    await interruptCall(fromNow(-1_000))
    const afterLease = await tradepost.post(pathOf(endpoint, input), input.body, keyed(key))
    expect(afterLease.status).toBe(201)
    expect(afterLease.headers['idempotency-replayed']).toBeUndefined()
  })

  test('is missing after a failed call, whose key is free immediately unless another call has leased it', async () => {
    const { id: storeId } = await tradepost.db
      .selectFrom('store')
      .select('id')
      .where('hash', '=', tradepost.live.id)
      .executeTakeFirstOrThrow()
    const key = newKey()
    const call = {
      storeId,
      keyId: 1,
      key,
      method: 'POST',
      path: '/x',
      body: undefined,
      now: fromNow(0),
    }
    const { once } = createIdempotency(tradepost.app.vault)
    const run = (prepare: () => Promise<void>) =>
      once(tradepost.db, call, {
        read: () => {},
        prepare,
        handle: async () => ({ status: 201, body: 'done' }),
        render: (error: Refusal) => ({ status: error.status, body: error.message }),
      })
    const succeed = async () => {}
    const fail = async () => {
      throw unavailable('The disk is full.')
    }
    const failAfterLostLease = async () => {
      await sql`update idempotent_answer
                   set running_until = ${fromNow(HOUR_MS)}, lease_token = 'of another call'
                 where key = ${key}`.execute(tradepost.db)
      return fail()
    }
    await expect(run(fail)).rejects.toThrow('The disk is full.')
    await expect(run(failAfterLostLease)).rejects.toThrow('The disk is full.')
    await expect(run(fail)).rejects.toThrow('still running')
    await sql`update idempotent_answer set running_until = now() where key = ${key}`.execute(
      tradepost.db,
    )
    expect(await run(succeed)).toMatchObject({ status: 201, body: 'done' })
    // The stored answer is returned, and the steps of the call do not run.
    expect(await run(fail)).toMatchObject({ status: 201, body: 'done' })
  })
})
