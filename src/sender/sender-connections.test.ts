import { describe, expect, onTestFinished, test } from 'vitest'
import { type DnsRecord, startDnsServer, type Zone } from '../network/dns-server.fixture.ts'
import { createResolver } from '../network/resolver.ts'
import {
  DEADLINE_MS,
  failure,
  LOCAL,
  okay,
  receiver,
  requestTo,
  says,
  senderWith,
  success,
} from './sender.fixture.ts'
import { createSender } from './sender.ts'

describe('addresses', () => {
  const A = (data: string): DnsRecord => ({ type: 'A', data })

  async function senderOver(zone: Zone, allowed: string[] = []) {
    const server = await startDnsServer(zone)
    const allowedHosts = new Set(allowed)
    const resolver = createResolver({ allowedHosts, servers: server.servers })
    onTestFinished(server.close)
    return { sender: senderWith({ allowedHosts, resolver }), questions: server.questions }
  }

  test('forbidden addresses are refused without sending a packet', async () => {
    const { port, received } = await receiver(okay)
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

  test('a name that resolves to a private address is refused, also with one address of many or through a CNAME', async () => {
    const { port, received } = await receiver(okay)
    const { sender } = await senderOver((name, type) => {
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

  test('only the vetted addresses are called', async () => {
    const { port, received } = await receiver(okay)
    const { sender, questions } = await senderOver(
      (_, type, nth) => (type === 'A' ? [A(nth === 1 ? '127.0.0.1' : '127.0.0.9')] : []),
      ['turn.test'],
    )
    expect(await sender.send(requestTo(port, 'turn.test'))).toEqual(success(200, 'ok'))
    expect(questions.get('turn.test A')).toBe(1)
    expect(received).toHaveLength(1)
  })

  test('a name without an address is a dns_error', async () => {
    const { sender } = await senderOver(() => 'name_error', ['none.test'])
    expect(await sender.send(requestTo(4000, 'none.test'))).toEqual(failure('dns_error'))
  })

  test('the next address is tried if the first does not respond', async () => {
    const { port } = await receiver(okay)
    const { sender } = await senderOver(
      (_, type) => (type === 'A' ? [A('127.0.0.2'), A('127.0.0.1')] : []),
      ['two.test'],
    )
    expect(await sender.send(requestTo(port, 'two.test'))).toEqual(success(200, 'ok'))
  })
})

describe('connections', () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  test('a connection is reused', async () => {
    const { port, received } = await receiver(okay)
    const sender = senderWith()
    for (let n = 0; n < 5; n++) expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(received).toHaveLength(1)
    expect(sender.stats()).toMatchObject({ sockets: 1, origins: 1, in_flight: 0, waiting: 0 })
  })

  test('a new connection is opened if the receiver closes after each answer', async () => {
    const { port, received } = await receiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok')
    })
    const sender = senderWith()
    for (let n = 0; n < 3; n++) expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(received).toHaveLength(3)
  })

  test('a request that waited for a connection uses another one if that is closed after an answer', async () => {
    const { port, received } = await receiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const outcomes = await Promise.all([1, 2, 3].map(() => sender.send(requestTo(port))))
    expect(outcomes.map((each) => each.ok)).toEqual([true, true, true])
    expect(received.map((each) => each.match(/POST/g)?.length)).toEqual([1, 1, 1])
  })

  test('a connection that broke while idle causes no failure', async () => {
    const { port, received } = await receiver((socket) => {
      okay(socket)
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
    const sender = senderWith()
    expect((await sender.send(requestTo(port))).ok).toBe(true)
    await wait(60)
    expect(sender.stats().sockets).toBe(0)
    expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(received).toHaveLength(2)
  })

  test('an idle connection is closed after four seconds, even if the receiver would keep it for ten minutes', async () => {
    const keep = 'connection: keep-alive\r\nkeep-alive: timeout=600\r\n'
    const { port } = await receiver(says(`HTTP/1.1 200 OK\r\n${keep}content-length: 2\r\n\r\nok`))
    const sender = senderWith()
    expect((await sender.send(requestTo(port))).ok).toBe(true)
    expect(sender.stats().sockets).toBe(1)
    await expect.poll(() => sender.stats().sockets).toBe(0)
  })

  test('an origin has ten connections at most; other requests wait', async () => {
    const { port, received } = await receiver((socket, nth) => {
      if (nth > 5) setTimeout(() => okay(socket), 5)
    })
    const sender = senderWith({ deadline_ms: 5 * DEADLINE_MS })
    const sends = Promise.all(Array.from({ length: 40 }, () => sender.send(requestTo(port))))
    expect(sender.stats()).toMatchObject({ in_flight: 40, waiting: 30 })
    const outcomes = await sends
    expect(received).toHaveLength(10)
    expect(outcomes.filter((each) => each.ok)).toHaveLength(35)
    expect(outcomes.filter((each) => each.error_code === 'timeout')).toHaveLength(5)
    expect(outcomes.some((each) => each.unsent)).toBe(false)
  })

  test('a request that waited for a connection has the whole deadline for its answer', async () => {
    const { port } = await receiver((socket) => {
      setTimeout(() => okay(socket), 0.7 * DEADLINE_MS)
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 }, deadline_ms: 2 * DEADLINE_MS })
    const begun = performance.now()
    const [first, second] = await Promise.all([1, 2].map(() => sender.send(requestTo(port))))
    const both_ms = performance.now() - begun
    expect(first).toMatchObject({ ok: true })
    expect(second).toMatchObject({ ok: true })
    // Its duration begins when it is sent, after the first answer.
    expect(second?.duration_ms).toBeLessThan(both_ms - 0.6 * DEADLINE_MS)
  })

  test('a request that waits for half its deadline is not sent', async () => {
    const { port, received } = await receiver(() => undefined)
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const outcomes = await Promise.all([1, 2, 3].map(() => sender.send(requestTo(port))))
    for (const outcome of outcomes) expect(outcome).toMatchObject(failure('timeout'))
    expect(outcomes.map((each) => each.unsent)).toEqual([undefined, true, true])
    await wait(50)
    expect(received.join('').match(/POST/g)).toHaveLength(1)
    expect(sender.stats()).toMatchObject({ in_flight: 0, waiting: 0, sockets: 0 })
  })

  test('a request that is no longer due after a wait is not sent, and the next one gets the connection', async () => {
    const { port, received } = await receiver((socket) => setTimeout(() => okay(socket), 150))
    const sender = senderWith({ limits: { sockets_per_origin: 1 }, deadline_ms: 3 * DEADLINE_MS })
    const questions: number[] = []
    const send = (n: number) =>
      sender.send({
        ...requestTo(port),
        stillDue: async () => {
          questions.push(n)
          return n !== 2
        },
      })
    const outcomes = await Promise.all([1, 2, 3].map(send))
    expect(outcomes.map(({ ok, unsent }) => [ok, unsent])).toEqual([
      [true, undefined],
      [false, true],
      [true, undefined],
    ])
    expect(questions).toEqual([2, 3])
    expect(received.join('').match(/POST/g)).toHaveLength(2)
    expect(received).toHaveLength(1)
  })

  test('a request gets another connection if its own broke during the check whether it is due', async () => {
    const { port, received } = await receiver((socket) => {
      setTimeout(() => {
        okay(socket)
        setTimeout(() => socket.resetAndDestroy(), 10)
      }, 150)
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 }, deadline_ms: 3 * DEADLINE_MS })
    const first = sender.send(requestTo(port))
    const stillDue = async () => {
      await wait(50)
      return true
    }
    const second = sender.send({ ...requestTo(port), stillDue })
    expect(await first).toMatchObject({ ok: true })
    expect(await second).toMatchObject({ ok: true })
    expect(received).toHaveLength(2)
  })

  test('pools do not wait for each other at the same origin', async () => {
    const { port } = await receiver((socket, nth) => {
      if (nth > 1) okay(socket)
    })
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const hanging = sender.send({ ...requestTo(port), pool: 1 })
    await wait(50)
    expect(await sender.send({ ...requestTo(port), pool: 2 })).toMatchObject({ ok: true })
    expect(await hanging).toMatchObject({ error_code: 'timeout' })
  })

  test('the origin unused for longest is dropped with its connections', async () => {
    const receivers = await Promise.all([receiver(okay), receiver(okay), receiver(okay)])
    const sender = senderWith({ limits: { origins: 2 } })
    for (const { port } of receivers) await sender.send(requestTo(port))
    await wait(20)
    expect(sender.stats()).toMatchObject({ origins: 2, sockets: 2 })
  })

  test('closing waits for running requests, then refuses new ones', async () => {
    const { port } = await receiver((socket) => setTimeout(() => okay(socket), 100))
    const sender = createSender({ allowedHosts: LOCAL, deadline_ms: DEADLINE_MS })
    const underWay = sender.send(requestTo(port))
    await sender.close()
    expect(await underWay).toEqual(success(200, 'ok'))
    const refused = { ...failure('connection_refused'), unsent: true }
    expect(await sender.send(requestTo(port))).toEqual(refused)
    await sender.close()
  })

  test('closing returns requests that wait for a connection unsent', async () => {
    const { port, received } = await receiver((socket) => setTimeout(() => okay(socket), 50))
    const sender = senderWith({ limits: { sockets_per_origin: 1 } })
    const sends = Promise.all([1, 2].map(() => sender.send(requestTo(port))))
    await sender.close()
    expect(await sends).toEqual([success(200, 'ok'), { ...failure('timeout'), unsent: true }])
    expect(received.join('').match(/POST/g)).toHaveLength(1)
  })

  test('a second call of close waits for the first', async () => {
    const { port } = await receiver((socket) => setTimeout(() => okay(socket), 50))
    const sender = senderWith()
    const underWay = sender.send(requestTo(port))
    await Promise.all([sender.close(), sender.close()])
    expect(await underWay).toEqual(success(200, 'ok'))
  })

  test('a connection that cannot be started is a failure', async () => {
    const resolver = { resolve: async () => ({ addresses: [] }), close: () => undefined }
    const sender = senderWith({ resolver })
    expect(await sender.send(requestTo(4000, 'localhost'))).toEqual(failure('connection_reset'))
  })
})
