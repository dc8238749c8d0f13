import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEarlyListener } from '../../src/http/early-listener.ts'
import { renderByPath } from '../../src/surfaces/server.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createFile, createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

const ORIGIN = 'https://game.example.com'
const CORS_NAME = /^access-control-/

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

/** Asks like a browser whether a page of another origin may send a call. */
const askFor = async (url: string, headers: Json = {}) => {
  const answer = await tradepost.server.inject({
    method: 'OPTIONS',
    url,
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST', ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers as Json, text: answer.body }
}
const clientPath = (tail: string) => `${BASE}/client/${program.publicId}${tail}`
const namesIn = (value: string) => value.split(', ')
const corsNames = (headers: Json) => Object.keys(headers).filter((name) => CORS_NAME.test(name))

describe('a page of another origin', () => {
  test('may send every call of a client program, with all headers of such a call', async () => {
    const answer = await askFor(clientPath('/sessions'), {
      'access-control-request-headers': 'authorization,client-nonce,client-proof,content-type',
    })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(namesIn(answer.headers['access-control-allow-methods'])).toEqual(
      expect.arrayContaining(['GET', 'POST', 'DELETE']),
    )
    expect(namesIn(answer.headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining(['authorization', 'client-nonce', 'client-proof', 'content-type']),
    )
    expect(Number(answer.headers['access-control-max-age'])).toBeGreaterThan(0)
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test('may ask without a nonce or a session, for every path, also of an unknown app', async () => {
    const paths = [
      ...['/key-set', '/sessions/current', '/devices/1', '/nothing', '/strings/%zz'].map(
        clientPath,
      ),
      `${BASE}/client/app_0000000000000000000000/validate`,
    ]
    for (const path of paths) expect([path, (await askFor(path)).status]).toEqual([path, 204])
  })

  test('reads the signature of every answer, of success and of refusal', async () => {
    const { key } = await createLicenseKey(seller, { app_id: program.appId })
    const file = await createFile(seller, { app_id: String(program.appId) })
    const { session } = await program.start({ license_key: key, device: newMachine() })
    const { token } = session
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const headers = { origin: ORIGIN }
    const calls: [number, string, string, Json][] = [
      [200, 'GET', '/key-set', { headers }],
      [200, 'POST', '/validate', { headers, body: { license_key: key } }],
      [200, 'GET', '/settings', { headers, token }],
      [200, 'GET', `/files/${file.name}/content?grant=${grant}`, { headers }],
      [
        206,
        'GET',
        `/files/${file.name}/content?grant=${grant}`,
        { headers: { ...headers, range: 'bytes=0-1' } },
      ],
      [401, 'POST', '/sessions/heartbeat', { headers }],
      [404, 'GET', '/strings/none', { headers, token }],
      [404, 'GET', '/nothing', { headers }],
      [405, 'PATCH', '/sessions', { headers }],
      [405, 'OPTIONS', '/sessions', { headers }],
      [413, 'POST', '/validate', { headers, body: { license_key: 'x'.repeat(100_000) } }],
      [
        415,
        'POST',
        '/sessions',
        { headers: { ...headers, 'content-type': 'text/plain' }, body: {} },
      ],
      [422, 'POST', '/sessions', { headers, body: { surprise: 1 } }],
      [422, 'POST', '/sessions', { headers, nonce: 'short' }],
    ]
    for (const [status, method, path, options] of calls) {
      const answer = await program.call(method, path, options)
      expect([method, path, answer.status]).toEqual([method, path, status])
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(namesIn(answer.headers['access-control-expose-headers'] ?? '')).toEqual(
        expect.arrayContaining(['service-response-signature', 'retry-after', 'x-request-id']),
      )
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  test('reads that a limit was reached, and how long to wait', async () => {
    const limited = await createProgram(tradepost, seller, { rate_limits: { validations: 1 } })
    const validate = () =>
      limited.call('POST', '/validate', {
        body: { license_key: randomBytes(8).toString('hex') },
        ip: '203.0.113.77',
      })
    await validate()
    const { status, headers } = await validate()
    expect([status, headers['access-control-allow-origin']]).toEqual([429, '*'])
    expect(namesIn(headers['access-control-expose-headers'] ?? '')).toContain('retry-after')
  })

  test('reads a refusal of a server that is starting', async () => {
    const listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderByPath)
    try {
      const corsHeadersOf = (path: string) =>
        new Promise<string[]>((resolve, reject) => {
          const call = request({ port: listener.port, host: '127.0.0.1', path }, (response) => {
            response.resume()
            resolve(corsNames(response.headers as Json))
          })
          call.on('error', reject)
          call.end()
        })
      expect(await corsHeadersOf(clientPath('/key-set'))).toContain('access-control-allow-origin')
      expect(await corsHeadersOf(`${BASE}/apps`)).toEqual([])
      expect(await corsHeadersOf('/v1/account')).toEqual([])
    } finally {
      await listener.close()
    }
  })

  test('may send no call to another part of the server', async () => {
    const paths = [
      '/v1/account',
      '/v1/orders',
      '/v1/nothing',
      `${BASE}/apps`,
      `${BASE}/nothing`,
      '/security/openapi.json',
      '/openapi.json',
      '/dashboard/api/session',
      '/dashboard',
      '/docs',
      '/healthz',
      '/readyz',
      '/',
    ]
    for (const path of paths) {
      const preflight = await askFor(path)
      expect([path, preflight.status >= 400, corsNames(preflight.headers)]).toEqual([
        path,
        true,
        [],
      ])
      const { headers } = await tradepost.server.inject({ url: path, headers: { origin: ORIGIN } })
      expect([path, corsNames(headers as Json)]).toEqual([path, []])
    }
  })
})

test('a call with the method OPTIONS that is no preflight is 405 with the methods of the path', async () => {
  const answer = await tradepost.server.inject({ method: 'OPTIONS', url: clientPath('/sessions') })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
})
