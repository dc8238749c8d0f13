import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { METHODS as knownMethods } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EarlyListener, openEarlyListener } from '../../src/http/early-listener.ts'
import { renderByPath } from '../../src/surfaces/server.ts'
import { formOf } from '../form.ts'
import type { Answer, Tradepost } from '../harness.ts'
import { faultsOfEnvelope, openWalk } from './walk.ts'

/** Bytes that are not a valid request are answered in the API's format, if Node allows it. */

let tradepost: Tradepost
let listener: EarlyListener
let early: Answer[]

beforeAll(async () => {
  tradepost = await openWalk()
  listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderByPath)
  early = [await speak(get('/v1/account')), await speak(get('/healthz'))]
  await listener.open(tradepost.server)
})
afterAll(async () => {
  await listener.close()
  await tradepost.close()
})

const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`
const keys = () => `x-api-key: ${tradepost.live.api_key}\r\nx-store-hash: ${tradepost.live.id}\r\n`

/** Sends these bytes and returns the first answer. The server closes the connection. */
function speak(bytes: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => received.push(data))
    socket.on('error', reject)
    socket.on('close', () => resolve(understood(Buffer.concat(received).toString())))
  })
}

function understood(said: string): Answer {
  const [head = '', ...body] = said.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((item) => {
      const [name = '', ...value] = item.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  const rest = body.join('\r\n\r\n')
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const text = isChunked
    ? (rest.split('\r\n')[1] ?? '')
    : rest.slice(0, Number(headers['content-length'] ?? 0))
  const isJson = text.startsWith('{')
  return {
    status: Number(line.split(' ')[1]),
    text,
    headers,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

function expectRefusal(answer: Answer, status: number, code: string) {
  expect({ status: answer.status, code: answer.json?.code, text: answer.text }).toMatchObject({
    status,
    code,
  })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(faultsOfEnvelope(answer)).toEqual([])
}

/** All methods of Node's parser, except CONNECT, which opens a tunnel. */
const METHODS = knownMethods.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method))

describe('on the wire', () => {
  test('a call before the server is ready gets 503 with Retry-After, and the process is alive', () => {
    const [call, alive] = early
    if (!call || !alive) throw new Error('Nothing was heard.')
    expectRefusal(call, 503, 'SERVICE_UNAVAILABLE')
    expect(call.headers['retry-after']).toBe('1')
    expect(alive).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect(alive.headers['x-request-id']).toMatch(/^req_/)
  })

  test('a good call is served', async () => {
    const answer = await speak(get('/v1/account', keys()))
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
  })

  test.each([
    ['words', 'HELLO\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['another version', 'GET /v1/account HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['a header without a colon', 'GET /v1/account HTTP/1.1\r\nnonsense\r\n\r\n'],
    ['a control character in a header', 'GET /v1/account HTTP/1.1\r\nhost: x\r\na: \u0001\r\n\r\n'],
    ['a blank in the path', 'GET /v1/ account HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/products HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    ],
    [
      'a length beside chunks',
      'POST /v1/products HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a length that is none',
      'POST /v1/products HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    ],
  ])('%s gets a 400 in the envelope', async (_what, bytes) => {
    const answer = await speak(bytes)
    expectRefusal(answer, 400, 'INVALID_JSON')
    expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text))
    expect(answer.headers.connection).toBe('close')
  })

  test('malformed chunks get a 400 in the envelope', async () => {
    const head = `POST /v1/products HTTP/1.1\r\nhost: x\r\n${keys()}transfer-encoding: chunked\r\n\r\n`
    expectRefusal(await speak(`${head}ZZ\r\nnonsense`), 400, 'INVALID_JSON')
  })

  test('the refusal of a call without Host has the envelope', async () => {
    const answer = await speak(`GET /v1/no-such-path HTTP/1.1\r\nconnection: close\r\n\r\n`)
    expect(faultsOfEnvelope(answer)).toEqual([])
  })

  test('the refusal of an unknown Expect has the envelope', async () => {
    const answer = await speak(get('/v1/no-such-path', 'expect: wonders\r\n'))
    expect(faultsOfEnvelope(answer)).toEqual([])
  })

  test('an upload is watched for silence as long as it is read, and its connection no longer', async () => {
    const { product } = (await tradepost.post('/products', { name: 'Ebook', price_cents: 1 })).json
    const sockets = new Set<Socket>()
    const note = (message: unknown) => void sockets.add((message as { socket: Socket }).socket)
    subscribe('http.server.request.start', note)
    const { raw: body, headers } = formOf([{ bytes: Buffer.from('bytes'), name: 'a.txt' }])
    const url = `http://127.0.0.1:${listener.port}/v1/products/${product.id}/files`
    for (let n = 0; n < 3; n++) {
      const named = {
        'x-api-key': String(tradepost.live.api_key),
        'x-store-hash': tradepost.live.id,
        ...headers,
      }
      const answer = await fetch(url, { method: 'POST', headers: named, body })
      expect(answer.status, await answer.text()).toBe(201)
    }
    unsubscribe('http.server.request.start', note)
    // Node itself counts one.
    const watchers = [...sockets].map((socket) => socket.listenerCount('timeout'))
    expect(new Set(watchers)).toEqual(new Set([1]))
  })

  test('a method that the path does not have is 405, whatever its name', async () => {
    const received = new Map<string, string[]>()
    for (const method of METHODS) {
      const head = `${method} /v1/account HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`
      const answer = await speak(`${head}${keys()}\r\n`)
      expect(faultsOfEnvelope(answer)).toEqual([])
      const summary = `${answer.status} ${answer.json.code} ${answer.headers.allow}`
      received.set(summary, [...(received.get(summary) ?? []), method])
    }
    expect(Object.fromEntries(received)).toEqual({ '405 METHOD_NOT_ALLOWED GET, HEAD': METHODS })
  })

  test('headers over 16 KiB get a 431 in the envelope', async () => {
    const long = `x-long: ${'x'.repeat(17 * 1024)}\r\n`
    expectRefusal(await speak(get('/v1/account', long)), 431, 'HEADERS_TOO_LARGE')
    const many = Array.from({ length: 1_500 }, (_, n) => `x-${n}: ${'y'.repeat(10)}\r\n`).join('')
    expectRefusal(await speak(get('/v1/account', many)), 431, 'HEADERS_TOO_LARGE')
  })

  test('what cannot be read of a call to the Client Security API is refused in its words', async () => {
    const long = `x-long: ${'x'.repeat(17 * 1024)}\r\n`
    const { status, json } = await speak(get('/security/v1/keys', long))
    expect([status, json]).toEqual([431, { success: false, error: expect.any(String) }])
  })

  test('headers of nearly 16 KiB are read', async () => {
    const answer = await speak(get('/v1/account', `${keys()}x-long: ${'x'.repeat(15 * 1024)}\r\n`))
    expect(answer.status).toBe(200)
  })

  test('a body that says it is over 1 MiB is refused before it is sent', async () => {
    const head = `POST /v1/products HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${keys()}`
    const type = 'content-type: application/json\r\n'
    const answer = await speak(`${head}${type}content-length: 2000000\r\n\r\n`)
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE')
  })

  test('a body in chunks over 1 MiB is refused', async () => {
    const head = `POST /v1/products HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${keys()}`
    const type = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `${(1024 * 1024 + 1).toString(16)}\r\n${'x'.repeat(1024 * 1024 + 1)}\r\n0\r\n\r\n`
    expectRefusal(await speak(head + type + chunk), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('when the process is leaving, calls are served and connections are closed', async () => {
    listener.leave()
    const answer = await speak(`GET /v1/account HTTP/1.1\r\nhost: x\r\n${keys()}\r\n`)
    expect(answer.status).toBe(200)
    expect(answer.headers.connection).toBe('close')
  })
})
