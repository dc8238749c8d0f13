import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Listener, LiveHub } from '../../src/features/installation/live/index.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { keysNamed, order, product } from '../build.ts'
import { type EventStream, openStream } from '../event-stream.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { openReceiver } from '../receiver.ts'

/** The live updates of the dashboard (decision 138). */

let tradepost: Tradepost
let owner: SignedIn
let game: string
const opened: EventStream[] = []

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
  game = (await product(tradepost, {}, { keys: keysNamed('LIVE', 40) })).id
})
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})
afterAll(() => tradepost.close())

const NOTHING = { orders: 0, tickets: 0, questions: 0, returns: 0, payouts: 0, endpoints: 0 }

async function open(
  browser = owner as Parameters<typeof openStream>[1],
  options: Parameters<typeof openStream>[2] = {},
): Promise<EventStream> {
  const stream = await openStream(tradepost, browser, options)
  opened.push(stream)
  return stream
}

describe('the stream', () => {
  test('begins with the counts, and names each order whose event was committed', async () => {
    const stream = await open()
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const first = await stream.next('counts')
    expect(first.data).toEqual({ counts: NOTHING, caught_up: true })
    const { id } = await order(tradepost, game)
    const message = await stream.next('order')
    expect(message.data).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      type: 'order.created',
      order_id: id,
      created_at: expect.any(String),
    })
    expect(message.id).toBeGreaterThan(0)
  })

  test('sends the counts again when one of them changes, as GET …/counts has them', async () => {
    const stream = await open()
    await stream.next('counts')
    const { status } = await tradepost.post('/tickets', {
      email: 'ada@example.com',
      subject: 'Help',
      message: 'It does not start.',
    })
    expect(status).toBe(201)
    const { data } = await stream.next('counts', ({ counts }) => counts.tickets === 1)
    expect(data.caught_up).toBe(true)
    const asked = await owner.get(`/stores/${tradepost.live.id}/counts`)
    const store_time = expect.any(String)
    expect(asked.json).toEqual({ success: true, counts: data.counts, store_time })
    const behind_ms = tradepost.app.clock.now() - Date.parse(asked.json.store_time)
    expect(Math.abs(behind_ms)).toBeLessThan(HOUR_MS)
  })

  test('follows deliveries of webhooks', async () => {
    const receiver = await openReceiver()
    const hook = { url: receiver.url, events: ['order.created'] }
    const { id } = (await tradepost.post('/webhooks', hook)).json.webhook
    const stream = await open()
    await stream.next('counts')
    const dispatcher = startDispatcher(tradepost.app)
    await order(tradepost, game)
    const { data } = await stream.next('delivery', ({ status }) => status === 'succeeded')
    const listed = await owner.get(`/stores/${tradepost.live.id}/v1/events/deliveries/${data.id}`)
    expect(listed.status).toBe(200)
    expect(data).toMatchObject({ webhook_id: id, event_type: 'order.created', attempts: 1 })
    expect(data.status_code).toBe(200)
    await dispatcher.stop()
    await tradepost.delete(`/webhooks/${id}`)
    await receiver.close()
  })

  test('repeats the messages after Last-Event-ID, within an hour', async () => {
    const stream = await open()
    await stream.next('counts')
    await order(tradepost, game)
    const { id: lastId } = await stream.next('order')
    stream.close()
    tradepost.forward(MINUTE_MS)
    const { id } = await order(tradepost, game)
    const again = await open(owner, { lastId })
    expect((await again.next('counts')).data.caught_up).toBe(true)
    // Events that were called for shortly before the last one may come twice.
    const missed = await again.next('order', ({ order_id }) => order_id === id)
    expect(missed.id).toBeGreaterThan(lastId)
    tradepost.forward(HOUR_MS)
    const late = await open(owner, { lastId })
    expect((await late.next('counts')).data.caught_up).toBe(false)
  })

  test('notices an event that was committed after others with higher numbers', async () => {
    const stream = await open()
    await stream.next('counts')
    const { rows } = await sql<{ no: number }>`select nextval('event_no') as no`.execute(
      tradepost.db,
    )
    // Numbers that were drawn before are dropped after a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const { id } = await order(tradepost, game)
    const { id: no } = await stream.next('order')
    expect(no).toBeGreaterThan(rows[0]?.no ?? no)
    await sql`update event set no = ${rows[0]?.no} where no = ${no}`.execute(tradepost.db)
    const late = await stream.next('order')
    expect(late.data.order_id).toBe(id)
    expect(late.id).toBeUndefined()
  })

  test('sends nothing of another store, and needs a role in its own', async () => {
    const stream = await open()
    await stream.next('counts')
    const elsewhere = await product(tradepost, {}, { as: tradepost.other, keys: ['NEXT'] })
    await order(tradepost, elsewhere.id, {}, { as: tradepost.other })
    const { id } = await order(tradepost, game)
    expect((await stream.next('order')).data.order_id).toBe(id)
    expect((await open(owner, { store: tradepost.other.id })).status).toBe(404)
    expect((await open(openBrowser(tradepost))).status).toBe(401)
  })
})

describe('a stream ends', () => {
  test('with its session; nothing that happens later is sent', async () => {
    const user = await signedIn(tradepost)
    const stream = await open(user)
    await stream.next('counts')
    await user.post('/sign-out')
    await order(tradepost, game)
    await stream.ended
    expect(stream.messages.map(({ event }) => event)).not.toContain('order')
    expect((await open(user)).status).toBe(401)
  })

  test('with the role of its user', async () => {
    await owner.post('/step-up', { password: PASSWORD })
    const user = await signedIn(tradepost, 'viewer')
    const stream = await open(user)
    await stream.next('counts')
    expect((await owner.delete(`/stores/${tradepost.live.id}/team/${user.id}`)).status).toBe(200)
    await stream.ended
    expect((await open(user)).status).toBe(404)
  })

  test('a user has at most ten at a time', async () => {
    const user = await signedIn(tradepost)
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(user)))
    expect(streams.map(({ status }) => status)).toEqual(new Array(10).fill(200))
    const refused = await open(user)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '20'])
    const [first] = streams
    first?.close()
    await expect
      .poll(async () => (await open(user)).status, { timeout: 10_000, interval: 20 })
      .toBe(200)
  })
})

describe('the hub of the streams', () => {
  const listenerOf = async (fields: Partial<Listener> = {}) => {
    const { rows } = await sql<Json>`
      select s.id as session_id, s.user_id, r.store_id
        from user_session s
        join store_role r on r.user_id = s.user_id
       where s.user_id = ${owner.id}
       order by s.id desc, r.store_id limit 1`.execute(tradepost.db)
    const texts: string[] = []
    let ended = false
    const listener: Listener = {
      ...rows[0],
      role: 'owner',
      lastNo: undefined,
      ends_at: Number.POSITIVE_INFINITY,
      write: (text) => texts.push(text) > 0,
      end: () => {
        ended = true
      },
      ...fields,
    }
    return { listener, texts, isEnded: () => ended }
  }

  test('comments now and then, and sends no statement while nothing is written', async () => {
    const hub = new LiveHub(tradepost.app, { comment_ms: 20, look_ms: undefined })
    const { listener, texts } = await listenerOf()
    hub.join(listener)
    await expect.poll(() => texts.length, { timeout: 10_000 }).toBeGreaterThan(1)
    const statements = await tradepost.statements(async () => {
      const before = texts.length
      await expect.poll(() => texts.length, { timeout: 10_000 }).toBeGreaterThan(before + 5)
    })
    expect(statements).toEqual([])
    expect(texts.slice(1)).toContain(': alive\n\n')
    hub.close()
  })

  test('sees commits of other processes without a hint', async () => {
    const app = { ...tradepost.app, writes: { ...tradepost.app.writes, onWrite: () => {} } }
    const hub = new LiveHub(app, { look_ms: 20 })
    const { listener, texts } = await listenerOf()
    hub.join(listener)
    await expect.poll(() => texts.length, { timeout: 10_000 }).toBe(1)
    await order(tradepost, game)
    await expect.poll(() => texts.join(''), { timeout: 10_000 }).toContain('event: order\n')
    hub.close()
  })

  test('cuts off a browser that does not read', async () => {
    const hub = new LiveHub(tradepost.app, { comment_ms: 20 })
    const { listener, isEnded } = await listenerOf({ write: () => false })
    hub.join(listener)
    await expect.poll(isEnded, { timeout: 10_000 }).toBe(true)
    expect(hub.size()).toBe(0)
    hub.close()
  })

  test('ends every stream when the process stops, and accepts no further one', async () => {
    const hub = new LiveHub(tradepost.app)
    const { listener, isEnded } = await listenerOf()
    hub.join(listener)
    hub.close()
    expect(isEnded()).toBe(true)
    expect(() => hub.join(listener)).toThrow('restarting')
  })
})
