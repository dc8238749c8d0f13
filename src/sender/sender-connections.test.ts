import { describe, expect, onTestFinished, test } from 'vitest'
import { elapse } from '../../test/until.ts'
import { type DnsRecord, type DnsZone, startDnsServer } from '../network/dns-server.fixture.ts'
import { createResolver } from '../network/resolver.ts'
import {
  answerOk,
  DEADLINE_MS,
  failure,
  LOCAL,
  openReceiver,
  requestTo,
  respondWith,
  senderWith,
  success,
} from './sender.fixture.ts'
import { createSender } from './sender.ts'

describe('addresses', () => {
  const A = (data: string): DnsRecord => ({ type: 'A', data })

  async function openSender(zone: DnsZone, allowed: string[] = []) {
    const server = await startDnsServer(zone)
    const allowedHosts = new Set(allowed)
    const resolver = createResolver({ allowedHosts, servers: server.servers })
    onTestFinished(server.close)
    return { sender: senderWith({ allowedHosts, resolver }), questions: server.questions }
  }

  test('forbidden addresses are refused without sending a packet', async () => {
    const { port, received } = await openReceiver(answerOk)
    const sender = senderWith({ allowedHosts: new Set() })
    for (const url of [
      'http://127.0.0.1',
      'https://127.0.0.1',
      'https://localhost',
      'https://0x7f.1',
      'https://[::ffff:7f00:1]',
    ]) {
      expect(await sender.send({ ...requestTo(port), url: `${url}:${port}/` })).toEqual(
        failure('blocked_address'),
      )
    }
    expect(received).toEqual([])
    expect(sender.stats()).toMatchObject({ blocked: 5, origins: 0, in_flight: 0 })
  })

  test('a name is refused if one of its addresses is private, even through a CNAME', async () => {
    const { port, received } = await openReceiver(answerOk)
    const { sender } = await openSender((name, type) => {
      if (type !== 'A') return []
      if (name === 'mixed.test') return [A('8.8.8.8'), A('127.0.0.1')]
      if (name === 'chain.test')
        return [
          { type: 'CNAME', data: 'b.test' },
          { ...A('127.0.0.1'), name: 'b.test' },
        ]
      return [A('127.0.0.1')]
    })
    for (const host of ['inside.test', 'mixed.test', 'chain.test']) {
      const outcome = await sender.send({ ...requestTo(port), url: `https://${host}:${port}/` })
      expect(outcome).toEqual(failure('blocked_address'))
      expect(outcome.error).not.toMatch(/127|8\.8/)
    }
    expect(received).toEqual([])
    expect(sender.stats().blocked).toBe(3)
  })

  test('a request goes to the vetted address, without a second DNS query', async () => {
    const { port, received } = await openReceiver(answerOk)
    const { sender, questions } = await openSender(
      (_, type, nth) => (type === 'A' ? [A(nth === 1 ? '127.0.0.1' : '127.0.0.9')] : []),
      ['turn.test'],
    )
    expect(await sender.send(requestTo(port, 'turn.test'))).toEqual(success(200, 'ok'))
    expect(questions.get('turn.test A')).toBe(1)
    expect(received).toHaveLength(1)
  })

  test('a request to a name without an address fails with dns_error', async () => {
    const { sender } = await openSender(() => 'name_error', ['none.test'])
    expect(await sender.send(requestTo(4000, 'none.test'))).toEqual(failure('dns_error'))
  })

  test('the next address is tried if the first refuses the connection', async () => {
    const { port } = await openReceiver(answerOk)
    const { sender } = await openSender(
      (_, type) => (type === 'A' ? [A('127.0.0.2'), A('127.0.0.1')] : []),
      ['two.test'],
    )
    expect(await sender.send(requestTo(port, 'two.test'))).toEqual(success(200, 'ok'))
  })
})

describe('connections', () => {
  const wait = (ms: number) => elapse(ms)

  test('a connection is reused', async () => {
    const { port, received } = await openReceiver(answerOk)
    const sender = senderWith()
    for (let n = 0; n < 5; n++) expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(received).toHaveLength(1)
    expect(sender.stats()).toMatchObject({ sockets: 1, origins: 1, in_flight: 0, waiting: 0 })
  })

  test('a new connection is opened if the receiver closes after each answer', async () => {
    const { port, received } = await openReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok')
    })
    const sender = senderWith()
    for (let n = 0; n < 3; n++) expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(received).toHaveLength(3)
  })

  test('a request that waits for a connection gets a new one if the receiver closes the old one after an answer', async () => {
    const { port, received } = await openReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const outcomes = await Promise.all([1, 2, 3].map(() => sender.send(requestTo(port))))
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(received.map((bytes) => bytes.match(/POST/g)?.length)).toEqual([1, 1, 1])
  })

  test('a connection that broke while idle causes no failure', async () => {
    const { port, received } = await openReceiver((socket) => {
      answerOk(socket)
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
    const sender = senderWith()
    expect((await sender.send(requestTo(port))).ok).toBe(true)
    await expect.poll(() => sender.stats().sockets).toBe(0)
    expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(received).toHaveLength(2)
  })

  test('an idle connection is closed after four seconds, even if the receiver would keep it for ten minutes', async () => {
    const keepAlive = 'connection: keep-alive\r\nkeep-alive: timeout=600\r\n'
    const { port } = await openReceiver(
      respondWith(`HTTP/1.1 200 OK\r\n${keepAlive}content-length: 2\r\n\r\nok`),
    )
    const sender = senderWith()
    expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(sender.stats().sockets).toBe(1)
    const answeredAt_ms = performance.now()
    await expect.poll(() => sender.stats().sockets).toBe(0)
    // Less than four seconds, because timers are not exact.
    expect(performance.now() - answeredAt_ms).toBeGreaterThan(3_800)
  })

  test('an origin has at most ten connections, and other requests wait', async () => {
    const { port, received } = await openReceiver((socket, nth) => {
      if (nth > 5) setTimeout(() => answerOk(socket), 5)
    })
    const sender = senderWith({ deadline_ms: 5 * DEADLINE_MS })
    const outcomesOfSends = Promise.all(
      Array.from({ length: 40 }, () => sender.send(requestTo(port))),
    )
    expect(sender.stats()).toMatchObject({ in_flight: 40, waiting: 30 })
    const outcomes = await outcomesOfSends
    expect(received).toHaveLength(10)
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(35)
    expect(outcomes.filter(({ error_code }) => error_code === 'timeout')).toHaveLength(5)
    expect(outcomes.some(({ unsent }) => unsent)).toBe(false)
  })

  test('a request that waited for a connection has the whole deadline for its answer', async () => {
    const deadline_ms = 6 * DEADLINE_MS
    // Together the two answers take longer than one deadline.
    const { port } = await openReceiver((socket, nth) => {
      setTimeout(() => answerOk(socket), (nth === 1 ? 0.3 : 0.8) * deadline_ms)
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 }, deadline_ms })
    const startedAt_ms = performance.now()
    const [first, second] = await Promise.all([1, 2].map(() => sender.send(requestTo(port))))
    const total_ms = performance.now() - startedAt_ms
    expect(first).toMatchObject({ ok: true })
    expect(second).toMatchObject({ ok: true })
    // The duration begins when the request is sent, after the first answer.
    expect(total_ms).toBeGreaterThan(deadline_ms)
    expect(second?.duration_ms).toBeLessThan(total_ms - 0.2 * deadline_ms)
  })

  test('a request that waits for half its deadline is not sent', async () => {
    const { port, received } = await openReceiver(() => undefined)
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const outcomes = await Promise.all([1, 2, 3].map(() => sender.send(requestTo(port))))
    for (const outcome of outcomes) expect(outcome).toMatchObject(failure('timeout'))
    expect(outcomes.map(({ unsent }) => unsent)).toEqual([undefined, true, true])
    await wait(50)
    expect(received.join('').match(/POST/g)).toHaveLength(1)
    expect(sender.stats()).toMatchObject({ in_flight: 0, waiting: 0, sockets: 0 })
  })

  test('a waiting request whose recheck fails is not sent, and the next request gets the connection', async () => {
    const { port, received } = await openReceiver((socket) =>
      setTimeout(() => answerOk(socket), 150),
    )
    const sender = senderWith({ limits: { sockets_per_origin: 1 }, deadline_ms: 3 * DEADLINE_MS })
    const recheckedRequests: number[] = []
    const send = (n: number) =>
      sender.send({
        ...requestTo(port),
        recheck: async () => {
          recheckedRequests.push(n)
          return n !== 2
        },
      })
    const outcomes = await Promise.all([1, 2, 3].map(send))
    expect(outcomes.map(({ ok, unsent }) => [ok, unsent])).toEqual([
      [true, undefined],
      [false, true],
      [true, undefined],
    ])
    expect(recheckedRequests).toEqual([2, 3])
    expect(received.join('').match(/POST/g)).toHaveLength(2)
    expect(received).toHaveLength(1)
  })

  test('a request gets another connection if the first one breaks during its recheck', async () => {
    const { port, received } = await openReceiver((socket) => {
      setTimeout(() => {
        answerOk(socket)
        setTimeout(() => socket.resetAndDestroy(), 10)
      }, 150)
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 }, deadline_ms: 3 * DEADLINE_MS })
    const first = sender.send(requestTo(port))
    const recheck = async () => {
      await wait(50)
      return true
    }
    const second = sender.send({ ...requestTo(port), recheck })
    expect(await first).toMatchObject({ ok: true })
    expect(await second).toMatchObject({ ok: true })
    expect(received).toHaveLength(2)
  })

  test('a request of one pool does not wait for a request of another pool to the same origin', async () => {
    const { port } = await openReceiver((socket, nth) => {
      if (nth > 1) answerOk(socket)
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const hangingRequest = sender.send({ ...requestTo(port), pool: 1 })
    await wait(50)
    expect(await sender.send({ ...requestTo(port), pool: 2 })).toMatchObject({ ok: true })
    expect(await hangingRequest).toMatchObject({ error_code: 'timeout' })
  })

  test('the least recently used origin is dropped with its connections', async () => {
    const receivers = await Promise.all([
      openReceiver(answerOk),
      openReceiver(answerOk),
      openReceiver(answerOk),
    ])
    const sender = senderWith({ limits: { origins: 2 } })
    for (const { port } of receivers) expect((await sender.send(requestTo(port))).ok).toBe(true)
    await expect.poll(() => sender.stats()).toMatchObject({ origins: 2, sockets: 2 })
  })

  test('close waits for running requests, and further requests are refused', async () => {
    const { port } = await openReceiver((socket) => setTimeout(() => answerOk(socket), 100))
    const sender = createSender({ allowedHosts: LOCAL, deadline_ms: DEADLINE_MS })
    const runningRequest = sender.send(requestTo(port))
    await sender.close()
    expect(await runningRequest).toEqual(success(200, 'ok'))
    const refusedOutcome = { ...failure('connection_refused'), unsent: true }
    expect(await sender.send(requestTo(port))).toEqual(refusedOutcome)
    await sender.close()
  })

  test('close ends requests that wait for a connection as unsent', async () => {
    const { port, received } = await openReceiver((socket) =>
      setTimeout(() => answerOk(socket), 50),
    )
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const outcomesOfSends = Promise.all([1, 2].map(() => sender.send(requestTo(port))))
    await sender.close()
    expect(await outcomesOfSends).toEqual([
      success(200, 'ok'),
      { ...failure('timeout'), unsent: true },
    ])
    expect(received.join('').match(/POST/g)).toHaveLength(1)
  })

  test('a second call of close waits for the first', async () => {
    const { port } = await openReceiver((socket) => setTimeout(() => answerOk(socket), 50))
    const sender = senderWith()
    const runningRequest = sender.send(requestTo(port))
    await Promise.all([sender.close(), sender.close()])
    expect(await runningRequest).toEqual(success(200, 'ok'))
  })

  test('a request to a name with an empty list of addresses fails', async () => {
    const resolver = { resolve: async () => ({ addresses: [] }), close: () => undefined }
    const sender = senderWith({ resolver })
    expect(await sender.send(requestTo(4000, 'localhost'))).toEqual(failure('connection_reset'))
  })
})
