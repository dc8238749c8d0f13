import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userEndpoints } from '../../src/features/installation/index.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

// Calls of the dashboard that need no session. Anyone can make them, so they are limited by address.

/** The limit of a minute. */
const CALLS_MAX = 120
const ORIGIN = { origin: 'http://127.0.0.1:4100' }
const JSON_TYPE = { ...ORIGIN, 'content-type': 'application/json' }
const FORM_TYPE = { ...ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

interface Call {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  payload?: string
}

const send = (url: string, remoteAddress: string, { method = 'POST', ...call }: Call = {}) =>
  tradepost.server.inject({ method, url, remoteAddress, ...call })

async function useUp(address: string): Promise<void> {
  for (let call = 0; call < CALLS_MAX; call++) {
    const payload = JSON.stringify({ token: 'x' })
    const { statusCode, body } = await send('/dashboard/api/invitations/find', address, {
      headers: JSON_TYPE,
      payload,
    })
    expect(statusCode, body).toBe(404)
  }
}

describe('after 120 calls of an address in a minute', () => {
  const ADDRESS = '2001:db8:1:2::1'
  const NEIGHBOUR = '2001:db8:1:2:ffff::9'
  beforeAll(() => useUp(ADDRESS))

  const anonymous = userEndpoints.filter(({ session }) => session === 'none')

  test.each(anonymous.map(({ id, path }) => [id, path]))(
    '%s is refused, also to the rest of its /64',
    async (_, path) => {
      for (const address of [ADDRESS, NEIGHBOUR]) {
        const answer = await send(`/dashboard/api${path}`, address, {
          headers: JSON_TYPE,
          payload: '{}',
        })
        expect(answer.statusCode).toBe(429)
        expect(answer.json()).toMatchObject({ success: false, code: 'RATE_LIMITED' })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
    },
  )

  test.each(['/sign-in', '/forgot-password', '/first-start'])(
    'so is the form of %s',
    async (path) => {
      const answer = await send(`/dashboard${path}`, ADDRESS, {
        headers: FORM_TYPE,
        payload: 'email=ada@example.com&password=x',
      })
      expect(answer.statusCode).toBe(429)
    },
  )

  test('so is a sign-in with a link, and not a page that asks for nothing', async () => {
    const link = await send('/dashboard/sign-in?token=x', ADDRESS, { method: 'GET' })
    expect(link.statusCode).toBe(429)
    const page = await send('/dashboard/sign-in', ADDRESS, { method: 'GET' })
    expect(page.statusCode).toBe(200)
  })

  test('another address is served, and after a minute this one too', async () => {
    const payload = JSON.stringify({ email: 'nobody@example.com' })
    const reset = (address: string) =>
      send('/dashboard/api/password-resets', address, { headers: JSON_TYPE, payload })
    expect((await reset('2001:db8:1:3::1')).statusCode).toBe(200)
    tradepost.forward(61_000)
    expect((await reset(ADDRESS)).statusCode).toBe(200)
  })
})

test('a form of more than 16 KiB is refused before it is read', async () => {
  const answer = await send('/dashboard/sign-in', '192.0.2.1', {
    headers: { ...FORM_TYPE, accept: 'text/html' },
    payload: 'a=b&'.repeat(5_000),
  })
  expect(answer.statusCode).toBe(413)
  expect(answer.body).toMatch(/^<!doctype html>/i)
})
