import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { METHODS as knownMethods } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EarlyListener, openEarlyListener } from '../../src/http/early-listener.ts'
import { renderByPath } from '../../src/surfaces/server.ts'
import { formOf } from '../form.ts'
import type { Answer, Tradepost } from '../harness.ts'
import { faultsOfEnvelope, openUnlimited } from './prepared-calls.ts'

// Bytes that are not a valid request are answered in the format of the API, as far as Node allows it.

let tradepost: Tradepost
let listener: EarlyListener
let earlyAnswers: Answer[]

beforeAll(async () => {
  tradepost = await openUnlimited()
  listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderByPath)
  earlyAnswers = [await sendBytes(get('/v1/account')), await sendBytes(get('/healthz'))]
  await listener.open(tradepost.server)
})
afterAll(async () => {
  await listener.close()
  await tradepost.close()
})

const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`
const authentication = () =>
  `x-api-key: ${tradepost.live.api_key}\r\nx-store-hash: ${tradepost.live.id}\r\n`

/** Sends these bytes and returns the first answer. The server closes the connection. */
function sendBytes(bytes: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => received.push(data))
    socket.on('error', reject)
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(received).toString())))
  })
}

function parseAnswer(output: string): Answer {
  const [head = '', ...body] = output.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((item) => {
      const [name = '', ...value] = item.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  const bodyText = body.join('\r\n\r\n')
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const text = isChunked
    ? (bodyText.split('\r\n')[1] ?? '')
    : bodyText.slice(0, Number(headers['content-length'] ?? 0))
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

describe('over a socket', () => {
  test('a call before the server is ready gets 503 with Retry-After, and /healthz gets 200', () => {
    const [accountAnswer, healthAnswer] = earlyAnswers
    if (!accountAnswer || !healthAnswer) throw new Error('There was no answer.')
    expectRefusal(accountAnswer, 503, 'SERVICE_UNAVAILABLE')
    expect(accountAnswer.headers['retry-after']).toBe('1')
    expect(healthAnswer).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect(healthAnswer.headers['x-request-id']).toMatch(/^req_/)
  })

  test('a valid call is answered', async () => {
    const answer = await sendBytes(get('/v1/account', authentication()))
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
      'a length next to chunks',
      'POST /v1/products HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a length that is invalid',
      'POST /v1/products HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    ],
  ])('%s gets a 400 in the envelope', async (_description, bytes) => {
    const answer = await sendBytes(bytes)
    expectRefusal(answer, 400, 'INVALID_JSON')
    expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text))
    expect(answer.headers.connection).toBe('close')
  })

  test.each([
    ['a path', '/v1/orders/\xff'],
    ['a query', '/v1/orders?search=\xc3\xa4'],
  ])('a byte that is no ASCII in %s gets a 404 that says what to change', async (_, target) => {
    const answer = await sendBytes(Buffer.from(get(target), 'latin1'))
    expectRefusal(answer, 404, 'NOT_FOUND')
    expect(answer.json.error).toContain('Percent-encode it as UTF-8.')
  })

  test('malformed chunks get a 400 in the envelope', async () => {
    const head = `POST /v1/products HTTP/1.1\r\nhost: x\r\n${authentication()}transfer-encoding: chunked\r\n\r\n`
    expectRefusal(await sendBytes(`${head}ZZ\r\nnonsense`), 400, 'INVALID_JSON')
  })

  test.each([
    ['no Host', ''],
    ['two Hosts', 'host: x\r\nhost: y\r\n'],
    ['the same Host twice', 'host: x\r\nHOST: x\r\n'],
    ['a user in Host', 'host: a@b\r\n'],
    ['a path in Host', 'host: x/y\r\n'],
  ])('%s gets a 400 in the envelope, and the connection is closed', async (_description, host) => {
    const answer = await sendBytes(`GET /v1/account HTTP/1.1\r\n${host}${authentication()}\r\n`)
    expectRefusal(answer, 400, 'INVALID_JSON')
    expect(answer.headers.connection).toBe('close')
  })

  test('a call of HTTP/1.0 needs no Host', async () => {
    const answer = await sendBytes(`GET /v1/account HTTP/1.0\r\n${authentication()}\r\n`)
    expect(answer.status).toBe(200)
  })

  test.each(['', 'localhost:4100', '[::1]:4100', 'xn--bcher-kva.example'])(
    'the Host "%s" is accepted',
    async (host) => {
      const head = `GET /v1/account HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`
      expect((await sendBytes(`${head}${authentication()}\r\n`)).status).toBe(200)
    },
  )

  test('an Idempotency-Key that is sent twice is refused', async () => {
    const body = '{"name":"Twice","price_cents":1}'
    const answer = await sendBytes(
      `POST /v1/products HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${authentication()}Idempotency-Key: a\r\nidempotency-key: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    expectRefusal(answer, 422, 'VALIDATION_FAILED')
    expect(answer.json.details.field).toBe('Idempotency-Key')
  })

  test('a call with an unknown Expect is refused with the envelope', async () => {
    const answer = await sendBytes(get('/v1/no-such-path', 'expect: wonders\r\n'))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(faultsOfEnvelope(answer)).toEqual([])
  })

  test('an upload leaves no listener for timeouts on its connection', async () => {
    const { product } = (await tradepost.post('/products', { name: 'Ebook', price_cents: 1 })).json
    const sockets = new Set<Socket>()
    const recordSocket = (message: unknown) =>
      void sockets.add((message as { socket: Socket }).socket)
    subscribe('http.server.request.start', recordSocket)
    const { raw: body, headers } = formOf([{ bytes: Buffer.from('bytes'), name: 'a.txt' }])
    const url = `http://127.0.0.1:${listener.port}/v1/products/${product.id}/files`
    for (let n = 0; n < 3; n++) {
      const callHeaders = {
        'x-api-key': String(tradepost.live.api_key),
        'x-store-hash': tradepost.live.id,
        ...headers,
      }
      const answer = await fetch(url, { method: 'POST', headers: callHeaders, body })
      expect(answer.status, await answer.text()).toBe(201)
    }
    unsubscribe('http.server.request.start', recordSocket)
    // Node itself adds one listener to each connection.
    const listenerCounts = [...sockets].map((socket) => socket.listenerCount('timeout'))
    expect(new Set(listenerCounts)).toEqual(new Set([1]))
  })

  test('every method that a path does not have gets 405', async () => {
    const methodsByAnswer = new Map<string, string[]>()
    for (const method of METHODS) {
      const head = `${method} /v1/account HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`
      const answer = await sendBytes(`${head}${authentication()}\r\n`)
      expect(faultsOfEnvelope(answer)).toEqual([])
      const summary = `${answer.status} ${answer.json.code} ${answer.headers.allow}`
      methodsByAnswer.set(summary, [...(methodsByAnswer.get(summary) ?? []), method])
    }
    expect(Object.fromEntries(methodsByAnswer)).toEqual({
      '405 METHOD_NOT_ALLOWED GET, HEAD': METHODS,
    })
  })

  test('headers over 16 KiB get a 431 in the envelope', async () => {
    const longHeader = `x-long: ${'x'.repeat(17 * 1024)}\r\n`
    expectRefusal(await sendBytes(get('/v1/account', longHeader)), 431, 'HEADERS_TOO_LARGE')
    const manyHeaders = Array.from(
      { length: 1_500 },
      (_, n) => `x-${n}: ${'y'.repeat(10)}\r\n`,
    ).join('')
    expectRefusal(await sendBytes(get('/v1/account', manyHeaders)), 431, 'HEADERS_TOO_LARGE')
  })

  test('a call of the Client Security API with too large headers is refused in the form of that API', async () => {
    const longHeader = `x-long: ${'x'.repeat(17 * 1024)}\r\n`
    const { status, json } = await sendBytes(get('/security/v1/keys', longHeader))
    expect([status, json]).toEqual([431, { success: false, error: expect.any(String) }])
  })

  test('headers of 15 KiB are accepted', async () => {
    const answer = await sendBytes(
      get('/v1/account', `${authentication()}x-long: ${'x'.repeat(15 * 1024)}\r\n`),
    )
    expect(answer.status).toBe(200)
  })

  test('a call that declares a body over 1 MiB is refused before the body is sent', async () => {
    const head = `POST /v1/products HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${authentication()}`
    const type = 'content-type: application/json\r\n'
    const answer = await sendBytes(`${head}${type}content-length: 2000000\r\n\r\n`)
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE')
  })

  test('a chunked body over 1 MiB is refused', async () => {
    const head = `POST /v1/products HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${authentication()}`
    const type = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `${(1024 * 1024 + 1).toString(16)}\r\n${'x'.repeat(1024 * 1024 + 1)}\r\n0\r\n\r\n`
    expectRefusal(await sendBytes(head + type + chunk), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('a stopping process answers calls and closes their connections', async () => {
    listener.failReadiness()
    const answer = await sendBytes(`GET /v1/account HTTP/1.1\r\nhost: x\r\n${authentication()}\r\n`)
    expect(answer.status).toBe(200)
    expect(answer.headers.connection).toBe('close')
  })
})
