import { createHash, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RefusedError, UnknownError, UntrustedError } from '../../sdk/client-security/index.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createClients, type Fetch, fetchFrom } from './clients.ts'
import { createLicenseKey } from './prepared-calls.ts'
import {
  createProgram,
  newMachine,
  newNonce,
  type Program,
  publicKeyOf,
  signedText,
} from './program.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let clients: Awaited<ReturnType<typeof createClients>>
let realFetch: Fetch

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  clients = await createClients(tradepost, seller)
  realFetch = fetchFrom(tradepost)
})
afterAll(() => tradepost.close())

const createKey = async () => (await createLicenseKey(seller, { app_id: clients.app.id })).key

/** Returns a `fetch` through a proxy that changes requests, but not answers. */
const proxy =
  (change: (init: RequestInit) => RequestInit): Fetch =>
  (input, init = {}) =>
    realFetch(input, change(init))

const withHeaders = (init: RequestInit, headers: Record<string, string>): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), ...headers },
})

describe('a program behind a proxy', () => {
  test('refuses an answer for another license key (decision 117)', async () => {
    const paidKey = await createKey()
    const fetch = proxy((init) => {
      if (!init.body) return init
      const body = { ...JSON.parse(String(init.body)), license_key: paidKey }
      return { ...init, body: JSON.stringify(body) }
    })
    const client = clients.createClient({ fetch })
    await expect(client.start('PIRATED-KEY')).rejects.toThrow(UntrustedError)
    await expect(client.validate('PIRATED-KEY')).rejects.toThrow(UntrustedError)
    expect(client.mayRun()).toBe(false)
    expect((await clients.createClient({ fetch }).start(paidKey)).code).toBe('VALID')
  })

  test('refuses an answer for another session (decision 117)', async () => {
    let token = ''
    const payingClient = clients.createClient({
      fetch: proxy((init) => {
        token = (init.headers as Record<string, string>).authorization ?? token
        return init
      }),
    })
    await payingClient.start(await createKey())
    await payingClient.settings()
    const unpaidKey = (await createLicenseKey(seller, { app_id: clients.app.id })) as Json
    let isSwapping = false
    const fetch = proxy((init) => (isSwapping ? withHeaders(init, { authorization: token }) : init))
    const client = clients.createClient({ fetch })
    await client.start(unpaidKey.key)
    await expectSuccess(seller.delete(`/keys/${unpaidKey.id}/sessions`))
    isSwapping = true
    await expect(client.heartbeat()).rejects.toThrow(UntrustedError)
    await expect(client.settings()).rejects.toThrow(UntrustedError)
    expect((await payingClient.heartbeat()).code).toBe('VALID')
    isSwapping = false
    await expect(client.heartbeat()).rejects.toThrow(RefusedError)
  })

  test('does not treat a refusal of an unread body as a signed refusal (decision 117)', async () => {
    let isChanging = false
    const fetch = proxy((init) =>
      isChanging ? withHeaders(init, { 'client-nonce': 'short' }) : init,
    )
    const client = clients.createClient({ fetch })
    await client.start(await createKey())
    isChanging = true
    // The answer is signed for the nonce of the proxy, so the client does not trust it.
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
    isChanging = false
    // The proxy makes the body too long. The server refuses it unread and signs the refusal.
    const lengthenBody = proxy((init) => ({ ...init, body: ' '.repeat(1_100_000) }))
    const otherClient = clients.createClient({ fetch: lengthenBody })
    await expect(otherClient.start('KEY')).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
  })
})

describe('the signature of an answer has the right request hash for', () => {
  let program: Program & { appId: number }
  beforeAll(async () => {
    program = await createProgram(tradepost, seller)
  })

  /** Returns the status, and the name of the request hash in the signature of the answer. */
  async function signedHash(
    call: string,
    { payload, headers = {} }: { payload?: string; headers?: Record<string, string> },
  ): Promise<[number, string | undefined]> {
    const [method = '', tail = ''] = call.split(' ')
    const [key] = (await expectSuccess(seller.get(`/apps/${program.appId}/signing-keys`)))
      .signing_keys
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
    const matchingHash = Object.entries(hashes).find(([, hash]) => {
      const text = Buffer.from(signedText(answer, t, hash))
      return verify(null, text, publicKeyOf(key.public_key), Buffer.from(v1, 'base64url'))
    })
    return [response.statusCode, matchingHash?.[0]]
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
  ])('%s (decision 117)', async (_, call, options, expected) => {
    expect(await signedHash(call, options)).toEqual(expected)
  })

  test('the token as it was sent, whatever its form (decision 117)', async () => {
    const { key } = await createLicenseKey(seller, { app_id: program.appId })
    const { session } = await program.start({ license_key: key, device: newMachine() })
    const token = session.token as string
    // `program.call` verifies the signature with the hash of this token.
    expect((await program.call('GET', '/settings', { token })).status).toBe(200)
    expect((await program.call('GET', '/settings', { token: 'short' })).status).toBe(401)
  })
})
