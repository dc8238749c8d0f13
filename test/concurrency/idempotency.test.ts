import { once as onceEmitted } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { createIdempotency } from '../../src/http/idempotency.ts'
import type { Refusal } from '../../src/kernel/errors.ts'
import { HOUR_MS, iso } from '../../src/kernel/time.ts'
import { openSurfaces } from '../../src/surfaces/server.ts'
import { openAuthentication } from '../../src/surfaces/store-authentication.ts'
import { PNG } from '../form.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Reply, type Target } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { openRaceStore, type RealServer, type StoreFixture } from './open-market.ts'

/** One idempotency key, two processes, and a call that talks to the network (decision 122). */

let server: RealPostgres | Unavailable
let raceStore: StoreFixture
let other: Other
let pictures: Pictures

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  raceStore = await openRaceStore(server, { env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } })
  other = await openOther(raceStore.app)
})
afterAll(async () => {
  await other?.close()
  await raceStore?.close()
  await closePostgres(server)
})
beforeEach(async () => {
  pictures = await openPictures()
})
afterEach(() => pictures.close())

interface Other {
  db: Db
  origin: string
  close(): Promise<void>
}

/** A second instance on the same database: its own pool, its own server. */
async function openOther(app: App): Promise<Other> {
  const { databaseUrl } = app.config
  if (databaseUrl === undefined) throw new Error('The market has no server.')
  const db = openDatabase({ url: databaseUrl })
  const there = { ...app, db }
  const surfaces = await openSurfaces(there, openAuthentication(there), {
    version: 'test',
    storeApiUrl: 'http://127.0.0.1/v1',
    leaving: () => false,
  })
  return {
    db,
    origin: await surfaces.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await surfaces.close()
      await db.destroy()
    },
  }
}

interface Pictures {
  url: string
  /** Requests that have no answer yet, oldest first. */
  held: ServerResponse[]
  until(count: number): Promise<void>
  close(): Promise<void>
}

/** A host of pictures that answers only when a test says so. */
async function openPictures(): Promise<Pictures> {
  const held: ServerResponse[] = []
  const host = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1')
  await onceEmitted(host, 'listening')
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}/picture.png`,
    held,
    async until(count) {
      while (held.length < count) await pause(5)
    },
    async close() {
      host.closeAllConnections()
      host.close()
      await onceEmitted(host, 'close')
    },
  }
}

const answerWithPicture = (response: ServerResponse | undefined) =>
  response?.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

interface Scene {
  tradepost: RealServer
  here: Target
  there: Target
  product: Json
}

async function openScene(): Promise<Scene> {
  const tradepost = await raceStore.openStoreFixture()
  const [here] = tradepost.targets
  const game = { name: 'Game', price_cents: 100, type: 'service' }
  const { product } = (await call(here, 'POST', '/products', { body: game })).json
  return { tradepost, here, there: { ...here, origin: other.origin }, product }
}

const addPicture = (target: Target, product: Json, idempotencyKey: string): Promise<Reply> =>
  call(target, 'POST', `/products/${product.id}/media`, {
    body: { url: pictures.url },
    idempotencyKey,
  })

/** As if the process that holds the key had stood still for longer than its lease. */
async function takeOver(scene: Scene, key: string, take: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    await sql`update idempotent_answer set running_until = clock_timestamp() - interval '1 s'
               where store_id = ${scene.tradepost.storeId} and key = ${key}`.execute(other.db)
    const reply = await take()
    // A renewal may have come in between.
    if (reply.json.code !== 'IDEMPOTENCY_IN_PROGRESS') return reply
  }
}

const mediaOf = async ({ here, product }: Scene): Promise<Json[]> =>
  (await call(here, 'GET', `/products/${product.id}/media`)).json.media

test('a call whose lease was taken over has no effect and gets the stored answer (decision 122)', async (context) => {
  postgresOrSkip(context, server)
  const scene = await openScene()
  const stalled = addPicture(scene.here, scene.product, 'taken-over')
  await pictures.until(1)
  const taker = await takeOver(scene, 'taken-over', async () => {
    const reply = addPicture(scene.there, scene.product, 'taken-over')
    const asked = await Promise.race([pictures.until(2).then(() => true), reply])
    if (asked === true) answerWithPicture(pictures.held[1])
    return reply
  })
  expect(taker.status, taker.text).toBe(201)
  answerWithPicture(pictures.held[0])
  const late = await stalled
  expect(late.status, late.text).toBe(201)
  expect(late.text).toBe(taker.text)
  expect(late.headers.get('idempotency-replayed')).toBe('true')
  expect(await mediaOf(scene)).toEqual([taker.json.media])
})

test('a call whose lease was taken over by one that still runs is 409 IDEMPOTENCY_IN_PROGRESS (decision 122)', async (context) => {
  postgresOrSkip(context, server)
  const scene = await openScene()
  const stalled = addPicture(scene.here, scene.product, 'still-running')
  await pictures.until(1)
  let taker: Promise<Reply> | undefined
  const late = await takeOver(scene, 'still-running', async () => {
    taker = addPicture(scene.there, scene.product, 'still-running')
    const asked = await Promise.race([pictures.until(2).then(() => true), taker])
    if (asked !== true) return asked as Reply
    answerWithPicture(pictures.held[0])
    const reply = await stalled
    // It is the answer that is looked for here, so the loop ends.
    return { ...reply, json: { late: reply.json } }
  })
  expect(late.status, late.text).toBe(409)
  expect(late.json.late.code).toBe('IDEMPOTENCY_IN_PROGRESS')
  expect(late.headers.get('retry-after')).toBe('1')
  expect(await mediaOf(scene)).toEqual([])
  answerWithPicture(pictures.held[1])
  const won = await (taker as Promise<Reply>)
  expect(won.status, won.text).toBe(201)
  expect(await mediaOf(scene)).toEqual([won.json.media])
  const repeat = await addPicture(scene.here, scene.product, 'still-running')
  expect(repeat.text).toBe(won.text)
})

test('the lease of a call that talks to the network is renewed while it runs (decision 122)', async (context) => {
  postgresOrSkip(context, server)
  const { tradepost } = await openScene()
  const key = 'renewed'
  const keyed = {
    storeId: tradepost.storeId,
    keyId: 1,
    key,
    method: 'POST',
    path: '/x',
    body: undefined,
    now: iso(Date.now()),
  }
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const work = (body: string, ask: () => Promise<void>) => ({
    read: () => {},
    ask,
    handle: async () => ({ status: 201, body }),
    render: (error: Refusal) => ({ status: error.status, body: error.message }),
  })
  // Renewed each 100 ms, and by none of them for less than an hour.
  const here = createIdempotency(raceStore.app.vault, { lease_ms: HOUR_MS, renew_ms: 100 })
  const there = createIdempotency(raceStore.app.vault)
  const first = here.once(
    raceStore.app.db,
    keyed,
    work('first', () => held),
  )
  const until = async () => {
    const { rows } = await sql<{ until: string }>`
      select running_until as until from idempotent_answer
       where store_id = ${tradepost.storeId} and key = ${key}`.execute(other.db)
    return rows[0]?.until
  }
  let begun = await until()
  while (begun === undefined) begun = await until()
  while ((await until()) === begun) await pause(5)
  const repeat = () =>
    there.once(
      other.db,
      keyed,
      work('second', async () => {}),
    )
  await expect(repeat()).rejects.toThrow('still running')
  release()
  expect(await first).toMatchObject({ status: 201, body: 'first' })
  expect(await repeat()).toMatchObject({ status: 201, body: 'first' })
})
