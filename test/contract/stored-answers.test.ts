import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdempotency } from '../../src/http/idempotency.ts'
import { type Refusal, unavailable } from '../../src/kernel/errors.ts'
import { DAY_MS, HOUR_MS, iso } from '../../src/kernel/time.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Tradepost } from '../harness.ts'
import { expectReplay, keyed } from './replay.ts'
import { openWalk, pathOf, prepare, send } from './walk.ts'

/** The stored answers of `Idempotency-Key` (decisions 10 and 10a). */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openWalk()
})
afterAll(() => tradepost.close())

let lastKey = 0
const newKey = () => `stored-${++lastKey}`

describe('a stored answer', () => {
  test('is not readable in the table', async () => {
    const key = newKey()
    const { json } = await tradepost.post(
      '/webhooks',
      { url: 'http://127.0.0.1:4199/secret', events: ['*'] },
      keyed(key),
    )
    expect(json.secret).toMatch(/^whsec_/)
    const { rows: kept } = await sql<{ row: string; bytes: string }>`
      select t::text as row, encode(body_enc, 'escape') as bytes
        from idempotent_answer t where key = ${key}`.execute(tradepost.db)
    expect(kept).toHaveLength(1)
    for (const clear of [json.secret, json.webhook.id, 'webhook_endpoint', 'success']) {
      expect(kept[0]?.row).not.toContain(clear)
      expect(kept[0]?.bytes).not.toContain(clear)
      expect(kept[0]?.row).not.toContain(Buffer.from(clear).toString('hex'))
    }
  })

  test('is replayed for 24 hours and no longer', async () => {
    const key = newKey()
    const body = { name: 'Day', price_cents: 1 }
    const first = await tradepost.post('/products', body, keyed(key))
    tradepost.forward(DAY_MS - 60_000)
    expectReplay(await tradepost.post('/products', body, keyed(key)), first)
    tradepost.forward(60_000)
    const anew = await tradepost.post('/products', body, keyed(key))
    expect(anew.status).toBe(201)
    expect(anew.headers['idempotency-replayed']).toBeUndefined()
    expect(anew.json.product.id).not.toBe(first.json.product.id)
    expectReplay(await tradepost.post('/products', body, keyed(key)), anew)
  })

  test('that is over does not hold its key against another request', async () => {
    const key = newKey()
    await tradepost.post('/products', { name: 'Old', price_cents: 1 }, keyed(key))
    tradepost.forward(DAY_MS)
    const other = await tradepost.post('/products', { name: 'New', price_cents: 1 }, keyed(key))
    expect(other.status).toBe(201)
  })

  test('lives by the clock of its store, which may be ahead on a test side', async () => {
    const key = newKey()
    const as = tradepost.test
    const send = () =>
      tradepost.post('/products', { name: 'Test', price_cents: 1 }, { as, ...keyed(key) })
    const first = await send()
    await tradepost.post('/account/test-clock', { advance: '1d' }, { as })
    expect((await send()).json.product.id).not.toBe(first.json.product.id)
  })

  test('that was left running by a crash is refused for 30 s, and runs anew after', async () => {
    const key = newKey()
    const e = storeEndpoints.find(({ id }) => id === 'webhooks.create')
    if (!e) throw new Error('No webhooks.create.')
    const ask = await prepare(tradepost, e)
    await send(tradepost, e, ask, keyed(key))
    const leave = (until: string) =>
      sql`update idempotent_answer set status = null, body_enc = null, running_until = ${until}
           where key = ${key}`.execute(tradepost.db)
    await leave(iso(Date.now() + HOUR_MS))
    const busy = await tradepost.post(pathOf(e, ask), ask.body, keyed(key))
    expect(busy).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_IN_PROGRESS' } })
    expect(busy.headers['retry-after']).toBe('1')
    await leave(iso(Date.now() - 1_000))
    const anew = await tradepost.post(pathOf(e, ask), ask.body, keyed(key))
    expect(anew.status).toBe(201)
    expect(anew.headers['idempotency-replayed']).toBeUndefined()
  })

  test('that ended without an answer is open at once, and one that another holds by now is left alone', async () => {
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
      now: iso(Date.now()),
    }
    const { once } = createIdempotency(tradepost.app.vault)
    const work = (ask: () => Promise<void>) => ({
      read: () => {},
      ask,
      handle: async () => ({ status: 201, body: 'done' }),
      render: (error: Refusal) => ({ status: error.status, body: error.message }),
    })
    const away = async () => {
      throw unavailable('The disk is full.')
    }
    await expect(once(tradepost.db, call, work(away))).rejects.toThrow('The disk is full.')
    const late = async () => {
      await sql`update idempotent_answer
                   set running_until = ${iso(Date.now() + HOUR_MS)}, lease_token = 'of another'
                 where key = ${key}`.execute(tradepost.db)
      return away()
    }
    await expect(once(tradepost.db, call, work(late))).rejects.toThrow('The disk is full.')
    await expect(once(tradepost.db, call, work(away))).rejects.toThrow('still running')
    await sql`update idempotent_answer set running_until = now() where key = ${key}`.execute(
      tradepost.db,
    )
    expect(
      await once(
        tradepost.db,
        call,
        work(async () => {}),
      ),
    ).toMatchObject({ status: 201, body: 'done' })
    expect(await once(tradepost.db, call, work(away))).toMatchObject({ status: 201, body: 'done' })
  })
})
