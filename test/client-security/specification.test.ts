import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey, createSetting, createString } from './prepared-calls.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const exactly = (message: string) => JSON.stringify({ success: true, message })

describe('the calls of the specification, whose answers have exactly success and message,', () => {
  test('deactivate and activate a string', async () => {
    const { id } = await createString(seller)
    const deactivation = await seller.patch(`/serverside-strings/${id}`, { status: 'inactive' })
    expect([deactivation.status, deactivation.text]).toEqual([
      200,
      exactly('The server-side string is inactive.'),
    ])
    expect((await seller.get(`/serverside-strings/${id}`)).json.serverside_string.status).toBe(
      'inactive',
    )
    const activation = await seller.patch(`/serverside-strings/${id}`, { status: 'active' })
    expect([activation.status, activation.text]).toEqual([
      200,
      exactly('The server-side string is active.'),
    ])
  })

  test.each([
    ['missing', {}],
    ['null', { status: null }],
    ['in capitals', { status: 'Active' }],
    ['a list', { status: ['active'] }],
    ['a number', { status: 1 }],
    ['padded', { status: ' active' }],
  ])('refuse a status that is %s with 422 and the name of the field', async (_, body) => {
    const { id } = await createString(seller)
    const { status, json } = await seller.patch(`/serverside-strings/${id}`, body)
    expect(status).toBe(422)
    expect(json).toEqual({ success: false, error: expect.stringMatching(/^status: /) })
  })

  test('refuse malformed JSON with 400, JSON that is no object with 422, and another content type with 415', async () => {
    const { id } = await createString(seller)
    const path = `/serverside-strings/${id}`
    for (const raw of ['{"status":', '', '[]', '"active"', '\uFEFF{"status":"active"}']) {
      const { status, json } = await seller.call('PATCH', path, { raw })
      expect({ raw, status }).toEqual({ raw, status: raw === '' || /^["[]/.test(raw) ? 422 : 400 })
      expect(Object.keys(json)).toEqual(['success', 'error'])
    }
    const headers = { 'content-type': 'text/plain' }
    expect((await seller.call('PATCH', path, { raw: '{}', headers })).status).toBe(415)
  })

  test('delete a setting, which is 404 afterwards', async () => {
    const { id } = await createSetting(seller)
    const first = await seller.delete(`/remote-settings/${id}`)
    expect([first.status, first.text]).toEqual([200, exactly('The remote setting was deleted.')])
    expect((await seller.delete(`/remote-settings/${id}`)).status).toBe(404)
  })

  test('create one license key, and say so', async () => {
    const messageOf = async (count: number) =>
      (await seller.post('/keys', { count })).json.message as string
    expect(await messageOf(1)).toBe('1 license key was created.')
    expect(await messageOf(2)).toBe('2 license keys were created.')
  })

  test('unban a banned license key, and change nothing if the license key is not banned', async () => {
    const { id } = await createLicenseKey(seller, { duration_seconds: 3600 })
    const before = (await seller.get(`/keys/${id}`)).json.key
    await seller.post(`/keys/${id}/ban`, { reason: 'Test' })
    const answer = await seller.post(`/keys/${id}/unban`)
    expect([answer.status, answer.text]).toEqual([
      200,
      exactly('The ban of the license key was lifted.'),
    ])
    const after = (await seller.get(`/keys/${id}`)).json.key
    expect(after).toEqual({ ...before, updated_at: after.updated_at })
    const repeat = await seller.post(`/keys/${id}/unban`)
    expect([repeat.status, repeat.text]).toEqual([
      200,
      exactly('The license key was not banned. Nothing was changed.'),
    ])
    expect((await seller.get(`/keys/${id}`)).json.key).toEqual(after)
  })

  test('delete a license key, whose text cannot be imported afterwards', async () => {
    const { id, key } = await createLicenseKey(seller)
    const first = await seller.delete(`/keys/${id}`)
    expect([first.status, first.text]).toEqual([200, exactly('The license key was deleted.')])
    expect((await seller.delete(`/keys/${id}`)).status).toBe(404)
    const secondAnswer = await seller.post('/keys/import', { keys: [{ key }] })
    expect(secondAnswer.status).toBe(409)
  })
})

/** Returns the key with another last character. */
const withAnotherEnd = (key: string) => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

describe('the credentials of a caller', () => {
  const listKeysWith = async (headers: Record<string, string | string[]>) => {
    const response = await tradepost.server.inject({ url: `${BASE}/keys`, headers })
    return { status: response.statusCode, json: response.json(), headers: response.headers }
  }

  test('are accepted in three headers, of which the header Api-Key is answered as deprecated', async () => {
    expect((await listKeysWith({ authorization: `Bearer ${seller.key}` })).status).toBe(200)
    expect((await listKeysWith({ authorization: `bearer  ${seller.key}` })).status).toBe(200)
    const currentHeader = await listKeysWith({ 'x-api-key': seller.key })
    expect([currentHeader.status, currentHeader.headers.deprecation]).toEqual([200, undefined])
    const deprecatedHeader = await listKeysWith({ 'api-key': seller.key })
    expect([deprecatedHeader.status, deprecatedHeader.headers.deprecation]).toEqual([
      200,
      expect.stringMatching(/^@\d+$/),
    ])
  })

  test('are accepted in two headers with the same key, and refused with two keys', async () => {
    const otherSeller = await createSeller(tradepost)
    const both = (key: string) => ({ authorization: `Bearer ${seller.key}`, 'x-api-key': key })
    expect((await listKeysWith(both(seller.key))).status).toBe(200)
    expect((await listKeysWith(both(otherSeller.key))).status).toBe(401)
  })

  test('are required, and the refusal 401 names the scheme Bearer', async () => {
    const refusedHeaders: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Basic ${seller.key}` },
      { authorization: `Bearer ${withAnotherEnd(seller.key)}` },
      { 'x-api-key': tradepost.live.api_key ?? '' },
      { 'x-api-key': `${seller.key}, ${seller.key}` },
    ]
    for (const headers of refusedHeaders) {
      const answer = await listKeysWith(headers)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(answer.json).toEqual({ success: false, error: expect.any(String) })
    }
  })

  test('of the Client Security API are refused by the Store API', async () => {
    const answer = await tradepost.get('/account', {
      as: { ...tradepost.live, api_key: seller.key },
    })
    expect([answer.status, answer.json.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('of all stores need the header X-Store-Hash, and those of one store are refused for another', async () => {
    const key = await tradepost.key({ kind: 'security', store_ids: undefined })
    const headers = { authorization: `Bearer ${key.api_key}` }
    expect((await listKeysWith(headers)).status).toBe(401)
    expect((await listKeysWith({ ...headers, 'x-store-hash': tradepost.live.id })).status).toBe(200)
    expect((await listKeysWith({ ...headers, 'x-store-hash': tradepost.other.id })).status).toBe(
      200,
    )
    expect((await listKeysWith({ ...headers, 'x-store-hash': tradepost.test.id })).status).toBe(403)
    const ofOneStore = { authorization: `Bearer ${seller.key}` }
    expect((await listKeysWith({ ...ofOneStore, 'x-store-hash': tradepost.other.id })).status).toBe(
      403,
    )
    expect((await listKeysWith({ ...ofOneStore, 'x-store-hash': 'zzzzzzzzzzzz' })).status).toBe(403)
  })

  test('have a rate limit, and headers with the remaining calls', async () => {
    const { api_key } = await tradepost.key({ kind: 'security', rate_limit: 2 })
    const headers = { authorization: `Bearer ${api_key}` }
    const first = await listKeysWith(headers)
    expect(first.headers['x-ratelimit-remaining']).toBe('1')
    await listKeysWith(headers)
    const third = await listKeysWith(headers)
    expect(third.status).toBe(429)
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
    expect(third.json).toEqual({ success: false, error: expect.any(String) })
  })

  test('do not change the form of the refusals of unknown paths, methods and malformed ids', async () => {
    const unknownPath = await seller.get('/nothing')
    expect([unknownPath.status, Object.keys(unknownPath.json)]).toEqual([404, ['success', 'error']])
    const unknownMethod = await seller.call('PUT', '/keys')
    expect([unknownMethod.status, unknownMethod.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    expect(Object.keys(unknownMethod.json)).toEqual(['success', 'error'])
    const { id } = await createString(seller)
    const escapedId = await seller.get(
      `/serverside-strings/%${String(id).charCodeAt(0).toString(16)}${String(id).slice(1)}`,
    )
    expect(escapedId.status).toBe(200)
    const malformedId = await seller.get('/serverside-strings/%zz')
    expect([malformedId.status, Object.keys(malformedId.json)]).toEqual([404, ['success', 'error']])
  })
})

describe('a call with a used idempotency key', () => {
  test('gets the stored answer, and is refused if it is another request', async () => {
    const headers = { 'idempotency-key': 'make-keys-1' }
    const first = await seller.post('/keys', { count: 2 }, { headers })
    const repeat = await seller.post('/keys', { count: 2 }, { headers })
    expect(first.status).toBe(201)
    expect(repeat.text).toBe(first.text)
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    const otherRequest = await seller.post('/keys', { count: 3 }, { headers })
    expect([otherRequest.status, Object.keys(otherRequest.json)]).toEqual([
      409,
      ['success', 'error'],
    ])
  })
})
