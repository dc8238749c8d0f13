import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInLink } from '../../src/features/installation/users/create-sign-in-link.ts'
import { MINUTE_MS } from '../../src/kernel/time.ts'
import { ORIGIN, openBrowser, PASSWORD, signedIn } from '../browser-session.ts'
import { type Answer, openTradepost, type Tradepost } from '../harness.ts'

// The pages outside of the app of the dashboard: sign-in, passwords, invitations, and refusals.

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: HTML }

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const read = (path: string, headers: Record<string, string> = { accept: HTML }) =>
  openBrowser(tradepost).get(path, { headers })
const titleOf = ({ text }: Answer) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]

describe('the answer at an unknown address of the dashboard', () => {
  test('is a page with the code and the request id for a browser', async () => {
    const answer = await read('/dashboard/nowhere')
    expect([answer.status, titleOf(answer)]).toEqual([404, 'Page not found'])
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('NOT_FOUND')
    expect(answer.text).toContain(answer.headers['x-request-id'])
    expect(answer.text).toContain('href="/dashboard"')
  })

  test.each(['application/json', '*/*'])('is JSON for a client that accepts %s', async (accept) => {
    const { status, json } = await read('/dashboard/nowhere', { accept })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('is JSON for every client if the address belongs to the private API', async () => {
    const { status, json } = await read('/dashboard/api/nowhere')
    expect([status, json.code]).toEqual([401, 'SIGN_IN_REQUIRED'])
  })
})

test('a failed page is an error page with the status 500', async () => {
  const browser = await signedIn(tradepost)
  const path = `/dashboard/${tradepost.live.id}`
  const { answer } = await tradepost.failing(1, () =>
    browser.get(path, { headers: { accept: HTML } }),
  )
  expect([answer.status, titleOf(answer)]).toEqual([500, 'This did not work'])
  expect(answer.text).toContain('INTERNAL_ERROR')
})

test('redirects, refusals and the icon have the header X-Content-Type-Options: nosniff', async () => {
  const owner = await signedIn(tradepost)
  const answers = await Promise.all([
    read('/dashboard'),
    read('/dashboard/'),
    read('/dashboard/nowhere'),
    read('/dashboard/nowhere', { accept: 'application/json' }),
    owner.get((await createSignInLink(tradepost.app, owner.id)).replace(ORIGIN, '')),
  ])
  expect(answers.map(({ status }) => status)).toEqual([302, 302, 404, 404, 302])
  const icon = await tradepost.server.inject('/favicon.ico')
  for (const { headers } of [...answers, icon])
    expect(headers['x-content-type-options']).toBe('nosniff')
})

describe('on a server without https', () => {
  test('a sign-in link is refused with a page that asks for https, and with JSON for other clients', async () => {
    const other = await openTradepost({ env: { TRADEPOST_PUBLIC_URL: 'http://shop.example.com' } })
    const page = await openBrowser(other).get('/dashboard/sign-in?token=x', {
      headers: { accept: HTML },
    })
    expect([page.status, titleOf(page)]).toEqual([403, 'Sign-in needs https'])
    expect(page.text).toContain('Set TRADEPOST_PUBLIC_URL to an address')
    const { status, json } = await openBrowser(other).get('/dashboard/sign-in?token=x')
    expect([status, json.code]).toEqual([403, 'HTTPS_REQUIRED'])
    await other.close()
  })

  test('a sign-in link works on the machine of the server only, even if the server listens on all addresses', async () => {
    const other = await openTradepost({ env: { HOST: '0.0.0.0' } })
    const { id } = await signedIn(other)
    const link = await createSignInLink(other.app, id)
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4100\/dashboard\/sign-in\?token=/)
    const path = link.replace(ORIGIN, '')
    const follow = (host: string) => openBrowser(other).get(path, { headers: { host } })
    const fromNetwork = await follow('192.0.2.7:4100')
    expect([fromNetwork.status, fromNetwork.json.code]).toEqual([403, 'HTTPS_REQUIRED'])
    expect((await follow('localhost:4100')).status).toBe(302)
    await other.close()
  })
})

describe('the language of a page', () => {
  test.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Anmelden'],
    ['fr,es-MX;q=0.8,en;q=0.7', 'es', 'Iniciar sesión'],
    ['fr', 'en', 'Sign in'],
    ['de;q=0,*', 'en', 'Sign in'],
  ])('for the header Accept-Language "%s" is %s', async (language, lang, title) => {
    const answer = await read('/dashboard/sign-in', { accept: HTML, 'accept-language': language })
    expect(answer.text).toContain(`<html lang="${lang}">`)
    expect(titleOf(answer)).toBe(title)
  })

  test('is also that of the message about a refused form', async () => {
    const answer = await openBrowser(tradepost).call('POST', '/dashboard/sign-in', undefined, {
      headers: { ...FORM, 'accept-language': 'de' },
      raw: 'email=nobody%40example.com&password=wrong',
    })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('oder der Code ist falsch.')
  })
})

describe('the sign-in of a browser without a session', () => {
  const signIn = async (path: string) => {
    const { email } = await signedIn(tradepost)
    return openBrowser(tradepost).call('POST', path, undefined, {
      headers: FORM,
      raw: new URLSearchParams({ email, password: PASSWORD }).toString(),
    })
  }

  test('leads to the page that was asked for, with its filters', async () => {
    const page = `/dashboard/${tradepost.live.id}/orders?search=ada%20b&status=paid`
    const { headers } = await read(page)
    expect(headers.location).toMatch(/^\/dashboard\/sign-in\?to=/)
    const answer = await signIn(String(headers.location))
    expect([answer.status, answer.headers.location]).toEqual([303, page])
  })

  test.each([
    'https://evil.example.com',
    '//evil.example.com',
    '/\\evil.example.com',
    '/sign-in',
    `/${'A'.repeat(12)}/${'a'.repeat(2_000)}`,
    `/${'A'.repeat(12)}/x\r\nset-cookie: a=b`,
    `/${'A'.repeat(12)}/../../other`,
    `/${'A'.repeat(12)}/.%2E/x`,
    `/${'A'.repeat(12)}/..?x=1`,
  ])('never leads to %s, which is no page of a store', async (to) => {
    const { headers } = await signIn(`/dashboard/sign-in?to=${encodeURIComponent(to)}`)
    expect(headers.location).toBe('/dashboard')
  })
})

describe('a forgotten password', () => {
  const requestReset = (email: string) =>
    openBrowser(tradepost).call('POST', '/dashboard/forgot-password', undefined, {
      headers: FORM,
      raw: `email=${encodeURIComponent(email)}`,
    })

  test('is requested with the same page for an address with an account and for one without', async () => {
    const { email } = await signedIn(tradepost)
    const pages = [await requestReset(email), await requestReset('nobody@example.com')]
    expect(pages.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    expect(pages[0]?.text).toContain('the link was sent')
  })

  test('has a link on the sign-in page only if a mail server is configured', async () => {
    expect((await read('/dashboard/sign-in')).text).not.toContain('/dashboard/forgot-password')
    const env = { TRADEPOST_SMTP_URL: 'smtp://127.0.0.1:59999?from=shop@example.com' }
    const other = await openTradepost({ env })
    const { text } = await openBrowser(other).get('/dashboard/sign-in', {
      headers: { accept: HTML },
    })
    expect(text).toContain('href="/dashboard/forgot-password"')
    await other.close()
  })
})

test('a webhook endpoint, whose secret is in the answer, is created only after the password was entered', async () => {
  const owner = await signedIn(tradepost)
  const create = () =>
    owner.post(`/stores/${tradepost.live.id}/v1/webhooks`, {
      url: 'https://hooks.example.com/orders',
      events: ['*'],
    })
  tradepost.forward(11 * MINUTE_MS)
  const refused = await create()
  expect([refused.status, refused.json.code]).toEqual([403, 'STEP_UP_REQUIRED'])
  await owner.post('/step-up', { password: PASSWORD })
  const { status, json } = await create()
  expect([status, json.secret]).toEqual([201, expect.stringMatching(/^whsec_/)])
  // A call with an API key needs the permission of the key, and no password.
  const hook = { url: 'https://hooks.example.com/other', events: ['*'] }
  expect((await tradepost.post('/webhooks', hook)).status).toBe(201)
})
