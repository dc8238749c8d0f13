import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'
import { BASE, type Seller, sellerAt } from './seller.ts'
import { aKey, aSetting, aString } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const exactly = (message: string) => JSON.stringify({ success: true, message })

describe('the calls of the specification answer exactly success and message', () => {
  test('a string is switched on and off', async () => {
    const { id } = await aString(seller)
    const off = await seller.patch(`/serverside-strings/${id}`, { status: 'inactive' })
    expect([off.status, off.text]).toEqual([200, exactly('The server-side string is inactive.')])
    expect((await seller.get(`/serverside-strings/${id}`)).json.serverside_string.status).toBe(
      'inactive',
    )
    const on = await seller.patch(`/serverside-strings/${id}`, { status: 'active' })
    expect([on.status, on.text]).toEqual([200, exactly('The server-side string is active.')])
  })

  test.each([
    ['missing', {}],
    ['null', { status: null }],
    ['in capitals', { status: 'Active' }],
    ['a list', { status: ['active'] }],
    ['a number', { status: 1 }],
    ['padded', { status: ' active' }],
  ])('a status that is %s is 422 and named', async (_, body) => {
    const { id } = await aString(seller)
    const { status, json } = await seller.patch(`/serverside-strings/${id}`, body)
    expect(status).toBe(422)
    expect(json).toEqual({ success: false, error: expect.stringMatching(/^status: /) })
  })

  test('a body that is not JSON is 400, and another type is 415', async () => {
    const { id } = await aString(seller)
    const path = `/serverside-strings/${id}`
    for (const raw of ['{"status":', '', '[]', '"active"', '\uFEFF{"status":"active"}']) {
      const { status, json } = await seller.call('PATCH', path, { raw })
      expect({ raw, status }).toEqual({ raw, status: raw === '' || /^["[]/.test(raw) ? 422 : 400 })
      expect(Object.keys(json)).toEqual(['success', 'error'])
    }
    const headers = { 'content-type': 'text/plain' }
    expect((await seller.call('PATCH', path, { raw: '{}', headers })).status).toBe(415)
  })

  test('a setting is deleted once; a second time it is not there', async () => {
    const { id } = await aSetting(seller)
    const first = await seller.delete(`/remote-settings/${id}`)
    expect([first.status, first.text]).toEqual([200, exactly('The remote setting was deleted.')])
    expect((await seller.delete(`/remote-settings/${id}`)).status).toBe(404)
  })

  test('a banned key is made valid again, and one that is not banned stays as it is', async () => {
    const { id } = await aKey(seller, { duration_seconds: 3600 })
    const before = (await seller.get(`/keys/${id}`)).json.key
    await seller.post(`/keys/${id}/ban`, { reason: 'Test' })
    const answer = await seller.post(`/keys/${id}/unban`)
    expect([answer.status, answer.text]).toEqual([200, exactly('The license key is valid again.')])
    const after = (await seller.get(`/keys/${id}`)).json.key
    expect(after).toEqual({ ...before, updated_at: after.updated_at })
    const again = await seller.post(`/keys/${id}/unban`)
    expect([again.status, again.text]).toEqual([200, answer.text])
    expect((await seller.get(`/keys/${id}`)).json.key).toEqual(after)
  })

  test('a key is deleted for ever', async () => {
    const { id, key } = await aKey(seller)
    const first = await seller.delete(`/keys/${id}`)
    expect([first.status, first.text]).toEqual([200, exactly('The license key was deleted.')])
    expect((await seller.delete(`/keys/${id}`)).status).toBe(404)
    const again = await seller.post('/keys/import', { keys: [{ key }] })
    expect(again.status).toBe(409)
  })
})

/** The key with a last character that it does not have. */
const withAnotherEnd = (key: string) => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

describe('the caller', () => {
  const bare = async (headers: Record<string, string | string[]>) => {
    const response = await tradepost.server.inject({ url: `${BASE}/keys`, headers })
    return { status: response.statusCode, json: response.json(), headers: response.headers }
  }

  test('three headers are read, and the old one says that it is', async () => {
    expect((await bare({ authorization: `Bearer ${seller.key}` })).status).toBe(200)
    expect((await bare({ authorization: `bearer  ${seller.key}` })).status).toBe(200)
    const modern = await bare({ 'x-api-key': seller.key })
    expect([modern.status, modern.headers.deprecation]).toEqual([200, undefined])
    const old = await bare({ 'api-key': seller.key })
    expect([old.status, old.headers.deprecation]).toEqual([200, expect.stringMatching(/^@\d+$/)])
  })

  test('the same key in two headers is one key, and two keys are refused', async () => {
    const other = await sellerAt(tradepost)
    const both = (key: string) => ({ authorization: `Bearer ${seller.key}`, 'x-api-key': key })
    expect((await bare(both(seller.key))).status).toBe(200)
    expect((await bare(both(other.key))).status).toBe(401)
  })

  test('without a good key it is 401, and says which scheme to use', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Basic ${seller.key}` },
      { authorization: `Bearer ${withAnotherEnd(seller.key)}` },
      { 'x-api-key': tradepost.live.api_key ?? '' },
      { 'x-api-key': `${seller.key}, ${seller.key}` },
    ]
    for (const headers of wrong) {
      const answer = await bare(headers)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(answer.json).toEqual({ success: false, error: expect.any(String) })
    }
  })

  test('a security key does not open the Store API', async () => {
    const answer = await tradepost.get('/account', {
      as: { ...tradepost.live, api_key: seller.key },
    })
    expect([answer.status, answer.json.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('a key of several stores must say which, and gets no other', async () => {
    const key = await tradepost.key({ kind: 'security', store_ids: undefined })
    const headers = { authorization: `Bearer ${key.api_key}` }
    expect((await bare(headers)).status).toBe(401)
    expect((await bare({ ...headers, 'x-store-hash': tradepost.live.id })).status).toBe(200)
    expect((await bare({ ...headers, 'x-store-hash': tradepost.other.id })).status).toBe(200)
    expect((await bare({ ...headers, 'x-store-hash': tradepost.test.id })).status).toBe(403)
    const mine = { authorization: `Bearer ${seller.key}` }
    expect((await bare({ ...mine, 'x-store-hash': tradepost.other.id })).status).toBe(403)
    expect((await bare({ ...mine, 'x-store-hash': 'zzzzzzzzzzzz' })).status).toBe(403)
  })

  test('calls are limited for each key, and headers say how many are left', async () => {
    const { api_key } = await tradepost.key({ kind: 'security', rate_limit: 2 })
    const headers = { authorization: `Bearer ${api_key}` }
    const first = await bare(headers)
    expect(first.headers['x-ratelimit-remaining']).toBe('1')
    await bare(headers)
    const third = await bare(headers)
    expect(third.status).toBe(429)
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
    expect(third.json).toEqual({ success: false, error: expect.any(String) })
  })

  test('an unknown id is refused in the same words', async () => {
    const nowhere = await seller.get('/nothing')
    expect([nowhere.status, Object.keys(nowhere.json)]).toEqual([404, ['success', 'error']])
    const wrong = await seller.call('PUT', '/keys')
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    expect(Object.keys(wrong.json)).toEqual(['success', 'error'])
    const { id } = await aString(seller)
    const escaped = await seller.get(
      `/serverside-strings/%${String(id).charCodeAt(0).toString(16)}${String(id).slice(1)}`,
    )
    expect(escaped.status).toBe(200)
    const broken = await seller.get('/serverside-strings/%zz')
    expect([broken.status, Object.keys(broken.json)]).toEqual([404, ['success', 'error']])
  })
})

describe('repeats', () => {
  test('with the same key get the same bytes, and another request with it conflicts', async () => {
    const headers = { 'idempotency-key': 'make-keys-1' }
    const first = await seller.post('/keys', { count: 2 }, { headers })
    const again = await seller.post('/keys', { count: 2 }, { headers })
    expect(first.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    const other = await seller.post('/keys', { count: 3 }, { headers })
    expect([other.status, Object.keys(other.json)]).toEqual([409, ['success', 'error']])
  })
})
