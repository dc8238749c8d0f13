import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { type LiveConnection, LiveHub } from '../../src/features/installation/live/index.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { keysNamed, order, product } from '../build.ts'
import { type EventStream, listen, openStream, sendStreamRequest } from '../event-stream.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { openReceiver } from '../receiver.ts'
import { elapse, until } from '../until.ts'

// The live updates of the dashboard (decision 138).

let tradepost: Tradepost
let owner: SignedIn
let game: string
const openStreams: EventStream[] = []

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
  game = (await product(tradepost, {}, { keys: keysNamed('LIVE', 40) })).id
})
afterEach(() => {
  for (const stream of openStreams.splice(0)) stream.close()
})
afterAll(() => tradepost.close())

const NO_COUNTS = {
  orders: 0,
  to_review: 0,
  to_deliver: 0,
  to_ship: 0,
  disputes: 0,
  tickets: 0,
  questions: 0,
  returns: 0,
  payouts: 0,
  endpoints: 0,
}

async function open(
  browser = owner as Parameters<typeof openStream>[1],
  options: Parameters<typeof openStream>[2] = {},
): Promise<EventStream> {
  const stream = await openStream(tradepost, browser, options)
  openStreams.push(stream)
  return stream
}

describe('the stream', () => {
  test('begins with the counts, and then sends a message for each committed event of an order', async () => {
    const stream = await open()
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const counts = await stream.next('counts')
    expect(counts.data).toEqual({ counts: NO_COUNTS, caught_up: true })
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

  test('sends the counts again when one of them changes, as GET …/counts answers them', async () => {
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
    const countsAnswer = await owner.get(`/stores/${tradepost.live.id}/counts`)
    const store_time = expect.any(String)
    expect(countsAnswer.json).toEqual({ success: true, counts: data.counts, store_time })
    const behind_ms = tradepost.app.clock.now() - Date.parse(countsAnswer.json.store_time)
    expect(Math.abs(behind_ms)).toBeLessThan(HOUR_MS)
  })

  test('says that messages were lost if a poll failed after it had read them', async () => {
    const stream = await open()
    await stream.next('counts')
    const warn = vi.spyOn(tradepost.app.log, 'warn')
    await sql`alter table user_session rename to unreadable`.execute(tradepost.db)
    await order(tradepost, game)
    await expect.poll(() => warn.mock.lastCall?.[1]).toBe('Live updates could not be read')
    warn.mockRestore()
    await sql`alter table unreadable rename to user_session`.execute(tradepost.db)
    await stream.next('counts', ({ caught_up }) => !caught_up)
  })

  test('sends a message with the result of a webhook delivery', async () => {
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

  test('repeats the messages after Last-Event-ID if they are less than an hour old', async () => {
    const stream = await open()
    await stream.next('counts')
    await order(tradepost, game)
    const { id: lastId } = await stream.next('order')
    stream.close()
    tradepost.forward(MINUTE_MS)
    const { id } = await order(tradepost, game)
    const reopened = await open(owner, { lastId })
    expect((await reopened.next('counts')).data.caught_up).toBe(true)
    // The stream may repeat a message from just before Last-Event-ID.
    const missedMessage = await reopened.next('order', ({ order_id }) => order_id === id)
    expect(missedMessage.id).toBeGreaterThan(lastId)
    tradepost.forward(HOUR_MS)
    const reopenedLate = await open(owner, { lastId })
    expect((await reopenedLate.next('counts')).data.caught_up).toBe(false)
  })

  test('sends an event that was committed after events with higher numbers', async () => {
    const stream = await open()
    await stream.next('counts')
    const { rows } = await sql<{ no: number }>`select nextval('event_no') as no`.execute(
      tradepost.db,
    )
    // The process keeps reserved numbers for a second. Then it draws numbers above this one.
    await elapse(1_100)
    const { id } = await order(tradepost, game)
    const { id: no } = await stream.next('order')
    expect(no).toBeGreaterThan(rows[0]?.no ?? no)
    await sql`update event set no = ${rows[0]?.no} where no = ${no}`.execute(tradepost.db)
    const lateMessage = await stream.next('order')
    expect(lateMessage.data.order_id).toBe(id)
    expect(lateMessage.id).toBeUndefined()
  })

  test('sends no message of another store, and is refused without a role in its store', async () => {
    const stream = await open()
    await stream.next('counts')
    const otherProduct = await product(tradepost, {}, { as: tradepost.other, keys: ['NEXT'] })
    await order(tradepost, otherProduct.id, {}, { as: tradepost.other })
    const { id } = await order(tradepost, game)
    expect((await stream.next('order')).data.order_id).toBe(id)
    expect((await open(owner, { store: tradepost.other.id })).status).toBe(404)
    expect((await open(openBrowser(tradepost))).status).toBe(401)
  })
})

describe('a stream ends', () => {
  test('when its session ends, and sends no later message', async () => {
    const user = await signedIn(tradepost)
    const stream = await open(user)
    await stream.next('counts')
    await user.post('/sign-out')
    await order(tradepost, game)
    await stream.ended
    expect(stream.messages.map(({ event }) => event)).not.toContain('order')
    expect((await open(user)).status).toBe(401)
  })

  test('when its user loses the role in the store', async () => {
    await owner.post('/step-up', { password: PASSWORD })
    const user = await signedIn(tradepost, 'viewer')
    const stream = await open(user)
    await stream.next('counts')
    expect((await owner.delete(`/stores/${tradepost.live.id}/team/${user.id}`)).status).toBe(200)
    await stream.ended
    expect((await open(user)).status).toBe(404)
  })

  test('immediately with 429 if the user has ten others', async () => {
    const user = await signedIn(tradepost)
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(user)))
    expect(streams.map(({ status }) => status)).toEqual(new Array(10).fill(200))
    const refused = await open(user)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '20'])
    const [first] = streams
    first?.close()
    await expect.poll(async () => (await open(user)).status, { interval: 20 }).toBe(200)
  })

  test('is not counted if the browser closed it before it was open', async () => {
    const user = await signedIn(tradepost)
    const { server } = tradepost.server
    let openSockets = 0
    const countSocket = (socket: Socket) => {
      openSockets++
      socket.once('close', () => openSockets--)
    }
    server.on('connection', countSocket)
    await inTransaction(tradepost.db, async (tx) => {
      await sql`lock table user_session in access exclusive mode`.execute(tx)
      const clients = []
      while (clients.length < 10) clients.push(await beginStream(user))
      expect(openSockets).toBe(10)
      for (const client of clients) client.destroy()
      await until(() => openSockets === 0)
    })
    server.off('connection', countSocket)
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(user)))
    expect(streams.map(({ status }) => status)).toEqual(new Array(10).fill(200))
  })

  /** Sends the request of a stream, and returns when the server authenticates it. */
  async function beginStream(user: SignedIn): Promise<ClientRequest> {
    const received = once(tradepost.server.server, 'request')
    const client = sendStreamRequest(await listen(tradepost), user, { store: tradepost.live.id })
    await received
    return client
  }
})

describe('the hub of the streams', () => {
  const connect = async (fields: Partial<LiveConnection> = {}) => {
    const { rows } = await sql<Json>`
      select s.id as session_id, s.user_id, r.store_id
        from user_session s
        join store_role r on r.user_id = s.user_id
       where s.user_id = ${owner.id}
       order by s.id desc, r.store_id limit 1`.execute(tradepost.db)
    const texts: string[] = []
    let isEnded = false
    const connection: LiveConnection = {
      ...rows[0],
      role: 'owner',
      lastNo: undefined,
      ends_at: Number.POSITIVE_INFINITY,
      write: (bytes) => texts.push(Buffer.from(bytes).toString()) > 0,
      end: () => {
        isEnded = true
      },
      ...fields,
    }
    return { connection, texts, isEnded: () => isEnded }
  }

  test('sends comments at intervals, and no statement while no transaction commits', async () => {
    const hub = new LiveHub(tradepost.app, { comment_ms: 20, poll_ms: undefined })
    const { connection, texts } = await connect()
    hub.join(connection)
    await expect.poll(() => texts.length).toBeGreaterThan(1)
    const statements = await tradepost.statements(async () => {
      const before = texts.length
      await expect.poll(() => texts.length).toBeGreaterThan(before + 5)
    })
    expect(statements).toEqual([])
    expect(texts.slice(1)).toContain(': alive\n\n')
    hub.close()
  })

  test('begins a stream with the counts of now after a ticket, which has no event, arrived while none was open', async () => {
    const hub = new LiveHub(tradepost.app)
    const ticketsOf = async () => {
      const { connection, texts } = await connect()
      hub.join(connection)
      await expect.poll(() => texts.length).toBe(1)
      hub.leave(connection)
      return JSON.parse(texts[0]?.split('data: ')[1] ?? '').counts.tickets
    }
    const before = await ticketsOf()
    const ticket = { email: 'grace@example.com', subject: 'Help', message: 'It stopped.' }
    expect((await tradepost.post('/tickets', ticket)).status).toBe(201)
    expect(await ticketsOf()).toBe(before + 1)
    hub.close()
  })

  test('reads the events of other processes by polling', async () => {
    const app = { ...tradepost.app, writes: { ...tradepost.app.writes, onWrite: () => {} } }
    const hub = new LiveHub(app, { poll_ms: 20 })
    const { connection, texts } = await connect()
    hub.join(connection)
    await expect.poll(() => texts.length).toBe(1)
    await order(tradepost, game)
    await expect.poll(() => texts.join('')).toContain('event: order\n')
    hub.close()
  })

  test('reads the events of another process after a worker reported its commit, and sends no statement before', async () => {
    const { writes } = tradepost.app
    const app = { ...tradepost.app, writes: { ...writes, onWrite: () => {} } }
    const hub = new LiveHub(app, { comment_ms: 20 })
    const { connection, texts } = await connect()
    hub.join(connection)
    await expect.poll(() => texts.length).toBeGreaterThan(1)
    const statementsBefore = await tradepost.statements(async () => {
      const before = texts.length
      await expect.poll(() => texts.length).toBeGreaterThan(before + 5)
    })
    expect(statementsBefore).toEqual([])
    await order(tradepost, game)
    writes.reportSnapshot('another snapshot')
    await expect.poll(() => texts.join('')).toContain('event: order\n')
    hub.close()
  })

  test('reads the session with the next comment after a reported commit, and ends the stream of an expired session', async () => {
    const { writes } = tradepost.app
    const app = { ...tradepost.app, writes: { ...writes, onWrite: () => {} } }
    const hub = new LiveHub(app, { comment_ms: 20 })
    const { connection, texts, isEnded } = await connect()
    hub.join(connection)
    await expect.poll(() => texts.length).toBeGreaterThan(1)
    const moveLastCall = (days: number) =>
      sql`update user_session set seen_at = seen_at + ${days} * interval '1 day'
           where id = ${connection.session_id}`.execute(tradepost.db)
    await moveLastCall(-20)
    writes.reportSnapshot('a third snapshot')
    await expect.poll(isEnded).toBe(true)
    await moveLastCall(20)
    hub.close()
  })

  test('reads a session once, and not with every comment, after other calls extended it', async () => {
    const hub = new LiveHub(tradepost.app, { comment_ms: 20, poll_ms: undefined })
    const { connection, texts, isEnded } = await connect({ ends_at: 0 })
    hub.join(connection)
    const comments = () => texts.filter((text) => text === ': alive\n\n').length
    await expect.poll(comments).toBeGreaterThan(1)
    await expect
      .poll(() =>
        tradepost.statements(async () => {
          const before = comments()
          await expect.poll(comments).toBeGreaterThan(before + 5)
        }),
      )
      .toEqual([])
    expect(isEnded()).toBe(false)
    hub.close()
  })

  test('disconnects a browser that does not read', async () => {
    const hub = new LiveHub(tradepost.app, { comment_ms: 20 })
    const { connection, isEnded } = await connect({ write: () => false })
    hub.join(connection)
    await expect.poll(isEnded).toBe(true)
    expect(hub.size()).toBe(0)
    hub.close()
  })

  test('ends every stream when the process stops, and refuses new streams', async () => {
    const hub = new LiveHub(tradepost.app)
    const { connection, isEnded } = await connect()
    hub.join(connection)
    hub.close()
    expect(isEnded()).toBe(true)
    expect(() => hub.join(connection)).toThrow('restarting')
  })
})
