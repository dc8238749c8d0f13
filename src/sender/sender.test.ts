import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { elapse } from '../../test/until.ts'
import { startDnsServer } from '../network/dns-server.fixture.ts'
import { createResolver } from '../network/resolver.ts'
import type { Outcome } from './outcome.rules.ts'
import { startReceiver } from './receiver.fixture.ts'
import {
  answerOk,
  DEADLINE_MS,
  dripBytes,
  failure,
  LOCAL,
  openReceiver,
  outcomeOf,
  requestTo,
  respondWith,
  senderWith,
  success,
  waitInTicks,
} from './sender.fixture.ts'
import { createSender } from './sender.ts'

interface ChannelMessage {
  request: {
    method: string
    origin: string
    path: string
    headers: string[]
    addHeader(name: string, value: string): void
  }
  response?: { statusCode: number }
  error?: Error
}

/** Subscribes to undici's diagnostics channels, as OpenTelemetry does. */
function subscribeToChannels(onMessage: (name: string, message: ChannelMessage) => void) {
  const names = ['create', 'headers', 'trailers', 'error']
  for (const name of names) {
    const channel = `undici:request:${name}`
    const listener = (message: unknown) => onMessage(name, message as ChannelMessage)
    subscribe(channel, listener)
    onTestFinished(() => void unsubscribe(channel, listener))
  }
}

describe('a request', () => {
  test('is published on the diagnostics channels that OpenTelemetry uses', async () => {
    const messages: unknown[] = []
    subscribeToChannels((name, { request, response, error }) => {
      const { method, origin, path, headers } = request
      const hasEventId = headers.includes('evt_1')
      messages.push([
        name,
        `${method} ${origin}${path}`,
        hasEventId,
        response?.statusCode ?? error?.message,
      ])
      if (name === 'create') request.addHeader('traceparent', '00-1-2-01')
    })
    const { port, received } = await openReceiver((socket, nth) => {
      if (nth === 1) answerOk(socket)
      else socket.destroy()
    })
    const request = requestTo(port)
    const sender = senderWith()
    await sender.send(request)
    await sender.send(request)
    const name = `POST ${request.url}`
    expect(messages).toEqual([
      ['create', name, true, undefined],
      ['headers', name, true, 200],
      ['trailers', name, true, undefined],
      ['create', name, true, undefined],
      ['error', name, true, 'The connection broke before an answer came.'],
    ])
    expect(received[0]).toContain('traceparent: 00-1-2-01\r\n')
  })

  test('has the exact bytes, and fixed headers override those of the caller', async () => {
    const { port, received } = await openReceiver(answerOk)
    const request = requestTo(port)
    const headers = { ...request.headers, 'User-Agent': 'x', Host: 'y', Connection: 'close' }
    expect(await senderWith().send({ ...request, headers })).toEqual(success(200, 'ok'))
    expect(received).toEqual([
      [
        'POST /hook?a=1 HTTP/1.1',
        `host: 127.0.0.1:${port}`,
        'connection: keep-alive',
        'content-type: application/json',
        'user-agent: Tradepost-Webhooks/1',
        'accept-encoding: identity',
        'Service-Event-Id: evt_1',
        'content-length: 14',
        '',
        '{"id":"evt_1"}',
      ].join('\r\n'),
    ])
  })

  test.each([
    ['an answer', ''],
    ['an answer with connection: close', 'connection: close\r\n'],
  ])('is sent completely, even if %s arrives before its end', async (_, field) => {
    const { port, received } = await openReceiver((socket, nth) => {
      if (nth > 1) return answerOk(socket)
      socket.write(`HTTP/1.1 200 OK\r\n${field}content-length: 2\r\n\r\nok`)
      socket.pause()
      setTimeout(() => socket.resume(), 50)
    })
    // More than the kernel buffers for a receiver that does not read.
    const body = Buffer.alloc(24_000_000, 'x')
    const sender = senderWith({ deadline_ms: 20 * DEADLINE_MS })
    expect(await sender.send({ ...requestTo(port), body })).toEqual(success(200, 'ok'))
    await expect.poll(() => received[0]?.split('\r\n\r\n')[1]?.length).toBe(body.length)
    expect(await sender.send(requestTo(port))).toEqual(success(200, 'ok'))
    expect(received).toHaveLength(field ? 2 : 1)
  })

  test('an invalid header gives a failed outcome, and nothing is sent', async () => {
    const { port, received } = await openReceiver(answerOk)
    const headers = { 'Service-Event-Id': 'a\r\nx: y' }
    const outcome = await senderWith().send({ ...requestTo(port), headers })
    expect(outcome.ok).toBe(false)
    expect(received).toEqual([])
  })
})

describe('answers', () => {
  test('an answer of 204 is a success without a body', async () => {
    expect(await outcomeOf(respondWith('HTTP/1.1 204 No Content\r\n\r\n'))).toEqual({
      ...success(204, ''),
      response_body: null,
    })
  })

  test('interim answers are skipped', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n'
    const text = `${interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`
    expect(await outcomeOf(respondWith(text))).toEqual(success(200, 'ok'))
  })

  test('chunks are joined, and their connection is kept', async () => {
    const text =
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n'
    const { port, received } = await openReceiver(respondWith(text))
    const sender = senderWith()
    expect(await sender.send(requestTo(port))).toEqual(success(200, 'abc'))
    expect(await sender.send(requestTo(port))).toEqual(success(200, 'abc'))
    expect(received).toHaveLength(1)
  })

  test('a body without a length lasts until the receiver closes', async () => {
    const outcome = await outcomeOf((socket) => {
      socket.write('HTTP/1.0 200 OK\r\n\r\nall ')
      setTimeout(() => socket.end('of it'), 20)
    })
    expect(outcome).toEqual(success(200, 'all of it'))
  })

  test('unrequested bytes from a receiver are not read as the next answer', async () => {
    const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    const NO = 'HTTP/1.1 500 No\r\ncontent-length: 2\r\n\r\nno'
    const { port, received } = await openReceiver((socket, nth) => {
      socket.write(nth === 1 ? `${OK}${NO}` : OK)
      if (nth === 2) setTimeout(() => socket.write(NO), 20)
    })
    const sender = senderWith()
    for (let n = 0; n < 3; n++) {
      expect(await sender.send(requestTo(port))).toEqual(success(200, 'ok'))
      await elapse(60)
    }
    expect(received).toHaveLength(3)
    expect(sender.stats().sockets).toBe(1)
  })

  test.each([302, 307, 400, 410, 429, 500])(
    '%i is a failure and is not followed',
    async (status) => {
      const { port, received } = await openReceiver(
        respondWith(
          `HTTP/1.1 ${status} No\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 4\r\n\r\nnope`,
        ),
      )
      expect(await senderWith().send(requestTo(port))).toEqual(
        failure('http_status', { status_code: status, response_body: 'nope' }),
      )
      expect(received).toHaveLength(1)
    },
  )

  test('a body of a gigabyte is cut at 4 KiB, and its connection is closed', async () => {
    let writtenBytes = 0
    let closed: Promise<unknown> = Promise.resolve()
    const outcome = await outcomeOf((socket) => {
      closed = new Promise((resolve) => socket.on('close', resolve))
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n')
      const writeMore = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536))) writtenBytes += 65_536
      }
      socket.on('drain', writeMore)
      writeMore()
    })
    expect(outcome).toEqual(success(200, 'x'.repeat(4096)))
    await closed
    expect(writtenBytes).toBeLessThan(16_000_000)
  })

  test('a body of exactly 4 KiB is read completely, and its connection is kept', async () => {
    const body = 'y'.repeat(4096)
    const { port, received } = await openReceiver(
      respondWith(`HTTP/1.1 200 OK\r\ncontent-length: 4096\r\n\r\n${body}`),
    )
    const sender = senderWith()
    expect(await sender.send(requestTo(port))).toEqual(success(200, body))
    expect(await sender.send(requestTo(port))).toEqual(success(200, body))
    expect(received).toHaveLength(1)
  })

  test('in a body NUL is removed, invalid UTF-8 replaced, gzip not decompressed, and everything after 4 KiB cut', async () => {
    const answer = (body: Buffer) => (socket: Socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n`)
      socket.end(body)
    }
    const withNul = await outcomeOf(answer(Buffer.from('a\0b\xffc\0', 'latin1')))
    expect(withNul).toEqual(success(200, 'ab\ufffdc'))
    const zippedOutcome = await outcomeOf(answer(gzipSync('hello')))
    expect(zippedOutcome.response_body).toContain('\u001f\ufffd')
    const invalidUtf8 = await outcomeOf(answer(Buffer.alloc(9_000, 0xff)))
    expect(invalidUtf8.response_body).toBe('\ufffd'.repeat(1365))
    const cut = await outcomeOf(answer(Buffer.from(`a${'é'.repeat(9_000)}`)))
    expect(cut.response_body).toBe(`a${'é'.repeat(2047)}`)
  })
})

describe('the deadline', () => {
  /** Expects a timeout that waited for the deadline, and not for long after it. */
  const expectTimeout = async (outcome: Promise<Outcome>) => {
    const late = waitInTicks(3 * DEADLINE_MS).then(() => 'late')
    expect(await Promise.race([outcome, late])).toEqual(failure('timeout'))
    expect((await outcome).duration_ms).toBeGreaterThanOrEqual(DEADLINE_MS)
  }

  test.each<[string, (socket: Socket) => void]>([
    ['silence', () => undefined],
    ['half a header', respondWith('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n')],
    [
      'a dripping header',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        dripBytes(socket, 'x: y\r\n')
      },
    ],
    [
      'endless interim answers',
      (socket) => dripBytes(socket, 'HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n'),
    ],
    [
      'an endless reason',
      (socket) => {
        socket.write('HTTP/1.1 200 ')
        dripBytes(socket, 'x'.repeat(100))
      },
    ],
  ])('%s ends in a timeout at the deadline', async (_, answer) => {
    await expectTimeout(outcomeOf(answer))
  })

  test('a flood of interim answers ends before the deadline', async () => {
    const flood = 'HTTP/1.1 103 Early\r\n\r\n'.repeat(2_000)
    expect(await outcomeOf(respondWith(flood))).toEqual(failure('invalid_response'))
  })

  test('a 200 whose body hangs, drips or breaks is a success, with the duration until its header', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'
    const outcomes = Promise.all([
      outcomeOf(respondWith(`${head}abc`)),
      outcomeOf((socket) => {
        socket.write(head)
        dripBytes(socket, 'x')
      }),
      outcomeOf((socket) => {
        socket.write(`${head}abc`, () => setTimeout(() => socket.resetAndDestroy(), 30))
      }),
    ])
    expect(
      await Promise.race([outcomes, waitInTicks(3 * DEADLINE_MS).then(() => 'late')]),
    ).not.toBe('late')
    const [hangingOutcome, drippedOutcome, brokenOutcome] = await outcomes
    expect(hangingOutcome).toEqual(success(200, 'abc'))
    expect(drippedOutcome).toEqual(success(200, expect.stringMatching(/^x+$/)))
    expect(brokenOutcome).toEqual(success(200, 'abc'))
    // The duration until the end of the body would be the whole deadline.
    expect(hangingOutcome.duration_ms).toBeLessThan(DEADLINE_MS)
  })

  test('is 10 seconds by default', async () => {
    const { port } = await openReceiver(() => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const sender = createSender({ allowedHosts: LOCAL })
    onTestFinished(sender.close)
    const outcome = sender.send(requestTo(port))
    expect(sender.stats().in_flight).toBe(1)
    vi.advanceTimersByTime(9_999)
    expect(sender.stats().in_flight).toBe(1)
    vi.advanceTimersByTime(1)
    expect(sender.stats().in_flight).toBe(0)
    expect(await outcome).toMatchObject({ error_code: 'timeout', duration_ms: 10_000 })
  })

  test('includes the DNS lookup', async () => {
    const server = await startDnsServer(() => 'silence')
    const allowedHosts = new Set(['slow.test'])
    const resolver = createResolver({ allowedHosts, servers: server.servers })
    onTestFinished(server.close)
    const sender = senderWith({ allowedHosts, resolver })
    await expectTimeout(sender.send(requestTo(4000, 'slow.test')))
  })

  test('includes a TLS handshake that hangs, and closes the socket', async () => {
    const { port } = await openReceiver(() => undefined)
    const sender = senderWith()
    await expectTimeout(sender.send({ ...requestTo(port), url: `https://127.0.0.1:${port}/` }))
  })
})

describe('broken answers', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    ['garbage', 'invalid_response', respondWith('SSH-2.0-OpenSSH_9.2\r\n')],
    ['another version', 'invalid_response', respondWith('HTTP/9.9 200 OK\r\n\r\n')],
    [
      'an unrequested upgrade',
      'invalid_response',
      respondWith('HTTP/1.1 101 No\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
    [
      'a header over 16 KB',
      'invalid_response',
      respondWith(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`),
    ],
    [
      'a header without end',
      'invalid_response',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        dripBytes(socket, `x: ${'y'.repeat(5_000)}\r\n`, 1)
      },
    ],
    ['a reset', 'connection_reset', (socket) => void socket.resetAndDestroy()],
    ['an end', 'connection_reset', (socket) => void socket.end()],
    [
      'an end in the header',
      'connection_reset',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nx: y'),
    ],
  ])('%s fails with %s', async (_, code, answer) => {
    expect(await outcomeOf(answer)).toEqual(failure(code))
  })

  test('a closed port fails with connection_refused, also if a name has several addresses', async () => {
    const { port, close } = await startReceiver(answerOk)
    await close()
    expect(await senderWith().send(requestTo(port))).toEqual(failure('connection_refused'))
    const outcome = await senderWith().send(requestTo(port, 'localhost'))
    expect(outcome).toEqual(failure('connection_refused'))
  })
})
