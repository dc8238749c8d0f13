import { createHash, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RefusedError, UnknownError, UntrustedError } from '../../sdk/client-security/index.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, newNonce, type Program, programOf, publicKeyOf, signedText } from './program.ts'
import { BASE, made, type Seller, sellerAt } from './seller.ts'
import { aKey } from './walks.ts'
import { clientsOf, type Fetch, fetchFrom } from './wire.ts'

let tradepost: Tradepost
let seller: Seller
let wire: Awaited<ReturnType<typeof clientsOf>>
let real: Fetch

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  wire = await clientsOf(tradepost, seller)
  real = fetchFrom(tradepost)
})
afterAll(() => tradepost.close())

const license = async () => (await aKey(seller, { app_id: wire.app.id })).key

/** A proxy that changes requests to the real server, but no answers. */
const proxy =
  (change: (init: RequestInit) => RequestInit): Fetch =>
  (input, init = {}) =>
    real(input, change(init))

const withHeaders = (init: RequestInit, headers: Record<string, string>): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), ...headers },
})

describe('a program behind a proxy', () => {
  test('refuses an answer to another license key than its own (decision 117)', async () => {
    const paid = await license()
    const fetch = proxy((init) => {
      if (!init.body) return init
      const body = { ...JSON.parse(String(init.body)), license_key: paid }
      return { ...init, body: JSON.stringify(body) }
    })
    const client = wire.client({ fetch })
    await expect(client.start('PIRATED-KEY')).rejects.toThrow(UntrustedError)
    await expect(client.validate('PIRATED-KEY')).rejects.toThrow(UntrustedError)
    expect(client.mayRun()).toBe(false)
    expect((await wire.client({ fetch }).start(paid)).code).toBe('VALID')
  })

  test('refuses an answer to another session than its own (decision 117)', async () => {
    let token = ''
    const payer = wire.client({
      fetch: proxy((init) => {
        token = (init.headers as Record<string, string>).authorization ?? token
        return init
      }),
    })
    await payer.start(await license())
    await payer.settings()
    const id = (await aKey(seller, { app_id: wire.app.id })) as Json
    let swaps = false
    const fetch = proxy((init) => (swaps ? withHeaders(init, { authorization: token }) : init))
    const client = wire.client({ fetch })
    await client.start(id.key)
    await made(seller.delete(`/keys/${id.id}/sessions`))
    swaps = true
    await expect(client.heartbeat()).rejects.toThrow(UntrustedError)
    await expect(client.settings()).rejects.toThrow(UntrustedError)
    expect((await payer.heartbeat()).code).toBe('VALID')
    swaps = false
    await expect(client.heartbeat()).rejects.toThrow(RefusedError)
  })

  test('does not take a refusal of a body that was not read for a no (decision 117)', async () => {
    let spoils = false
    const fetch = proxy((init) => (spoils ? withHeaders(init, { 'client-nonce': 'short' }) : init))
    const client = wire.client({ fetch })
    await client.start(await license())
    spoils = true
    // The answer is signed for another nonce than the program's, so it is refused.
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
    spoils = false
    // The proxy makes the body too long. The server refuses it unread and signs the refusal.
    const long = proxy((init) => ({ ...init, body: ' '.repeat(1_100_000) }))
    const other = wire.client({ fetch: long })
    await expect(other.start('KEY')).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
  })
})

describe('the signed text has ten lines', () => {
  let program: Program & { appId: number }
  beforeAll(async () => {
    program = await programOf(tradepost, seller)
  })

  /** The request hash that the answer was signed with. */
  async function signedFor(
    call: string,
    { payload, headers = {} }: { payload?: string; headers?: Record<string, string> },
  ): Promise<[number, string | undefined]> {
    const [method = '', tail = ''] = call.split(' ')
    const [key] = (await made(seller.get(`/apps/${program.appId}/signing-keys`))).signing_keys
    const path = `/client/${program.publicId}${tail}`
    const nonce = newNonce()
    const response = await tradepost.server.inject({
      method: method as 'GET',
      url: `${BASE}${path}`,
      headers: { 'client-nonce': nonce, ...headers },
      ...(payload !== undefined && { payload }),
    })
    const [, t = '', v1 = ''] =
      /^t=(\d+),.*v1=(.*)$/.exec(String(response.headers['service-response-signature'])) ?? []
    const answer = {
      publicId: program.publicId,
      method,
      path,
      nonce: headers['client-nonce'] ?? nonce,
      token: headers.authorization?.replace('Bearer ', ''),
      status: response.statusCode,
      header: '',
      body: response.rawPayload,
    }
    const found = Object.entries(hashes).find(([, hash]) => {
      const text = Buffer.from(signedText(answer, t, hash))
      return verify(null, text, publicKeyOf(key.public_key), Buffer.from(v1, 'base64url'))
    })
    return [response.statusCode, found?.[0]]
  }

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const json = { 'content-type': 'application/json' }
  const body = '{"license_key":"x"}'
  const hashes = { body: sha256(body), nothing: sha256(''), unread: '-' }

  test.each<[string, string, Json, [number, string]]>([
    ['a body that was read', 'POST /validate', { payload: body, headers: json }, [200, 'body']],
    [
      'a body that was read and refused',
      'POST /sessions/heartbeat',
      { payload: body, headers: { ...json, authorization: `Bearer ${'x'.repeat(43)}` } },
      [401, 'body'],
    ],
    ['no body', 'GET /settings', {}, [200, 'nothing']],
    ['no body, refused at once', 'POST /sessions/heartbeat', {}, [401, 'nothing']],
    [
      'a refusal for its nonce, before the body was read',
      'POST /validate',
      { payload: body, headers: { ...json, 'client-nonce': 'short' } },
      [422, 'unread'],
    ],
    [
      'a refusal for its missing token, before the body was read',
      'POST /reports',
      { payload: body, headers: json },
      [401, 'unread'],
    ],
    [
      'an unknown path, before the body was read',
      'POST /nothing',
      { payload: body, headers: json },
      [404, 'unread'],
    ],
    [
      'a body that is too long',
      'POST /validate',
      { payload: ' '.repeat(1_100_000), headers: json },
      [413, 'unread'],
    ],
    [
      'a body of bytes that is read as a stream, or not at all',
      'POST /validate',
      { payload: body, headers: { 'content-type': 'application/octet-stream' } },
      [415, 'unread'],
    ],
  ])('%s (decision 117)', async (_, call, sent, expected) => {
    expect(await signedFor(call, sent)).toEqual(expected)
  })

  test('the token is in it as it was sent, whatever its form (decision 117)', async () => {
    const { key } = await aKey(seller, { app_id: program.appId })
    const { session } = await program.start({ license_key: key, device: machine() })
    const token = session.token as string
    // The harness verifies the signature with the hash of this token.
    expect((await program.call('GET', '/settings', { token })).status).toBe(200)
    expect((await program.call('GET', '/settings', { token: 'short' })).status).toBe(401)
  })
})
