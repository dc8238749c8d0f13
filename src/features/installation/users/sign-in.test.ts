import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ORIGIN,
  openBrowser,
  PASSWORD,
  signedIn,
  type TestBrowser,
} from '../../../../test/browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { selectStore } from '../stores/index.ts'
import { addUser, createSignInLink, deleteEndedSessionsJob, userCommands } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const run = async (name: string, input: Json): Promise<Json> =>
  userCommands.find((item) => item.name === name)?.run(tradepost.app, input)

/** Advances the clock until the sign-in attempts of earlier tests no longer count. */
const passSignInWindow = () => tradepost.forward(16 * MINUTE_MS)
/** Returns the error code of an answer, or the status of an answer without one. */
const codeOf = async (answer: Promise<{ status: number; json?: { code?: string } }>) => {
  const { status, json } = await answer
  return json?.code ?? status
}
const signIn = (browser: TestBrowser, email: string, password = PASSWORD) =>
  browser.post('/sign-in', { email, password })

describe('signing in', () => {
  test('with email and password sets a cookie, and /me shows the user and the stores (decision 134)', async () => {
    const { email, id } = await signedIn(tradepost)
    const browser = openBrowser(tradepost)
    const answer = await signIn(browser, email.toUpperCase())
    expect(answer.json).toEqual({
      success: true,
      user: { id, email, name: 'owner', has_password: true, has_totp: false },
    })
    const [session] = [answer.headers['set-cookie']].flat()
    expect(session).toMatch(
      /^tradepost=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    const { json } = await browser.get('/me')
    const shared = { name: 'Here', slug: 'here', time_zone: 'UTC', role: 'owner' }
    expect(json).toEqual({
      success: true,
      user: answer.json.user,
      stores: [
        { id: tradepost.live.id, livemode: true, ...shared },
        { id: tradepost.test.id, livemode: false, ...shared },
      ],
      stepped_up: true,
    })
  })

  test('with an unknown address is refused like a wrong password, with the same bytes', async () => {
    passSignInWindow()
    const { email } = await signedIn(tradepost)
    const wrong = await signIn(openBrowser(tradepost), email, 'wrong password')
    const unknown = await signIn(openBrowser(tradepost), 'nobody@example.com', 'wrong password')
    expect([wrong.status, wrong.json.code]).toEqual([401, 'SIGN_IN_FAILED'])
    const bytes = ({ text }: { text: string }) => text.replace(/req_\w+/, '')
    expect(bytes(unknown)).toBe(bytes(wrong))
    expect(unknown.headers['set-cookie']).toBeUndefined()
  })

  test('is accepted only from a page of the dashboard (decision 135)', async () => {
    const { email } = await signedIn(tradepost)
    const body = { email, password: PASSWORD }
    const signInFrom = (origin: string | null, headers = {}) =>
      codeOf(openBrowser(tradepost).post('/sign-in', body, { origin, headers }))
    expect(await signInFrom('http://evil.example')).toBe('ORIGIN_NOT_ALLOWED')
    expect(await signInFrom('null')).toBe('ORIGIN_NOT_ALLOWED')
    expect(await signInFrom(null)).toBe('ORIGIN_NOT_ALLOWED')
    expect(await signInFrom(null, { 'sec-fetch-site': 'cross-site' })).toBe('ORIGIN_NOT_ALLOWED')
    expect(await signInFrom('http://127.0.0.1:4999')).toBe('ORIGIN_NOT_ALLOWED')
    expect(await signInFrom(null, { 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await signInFrom('http://localhost:4100')).toBe(200)
  })

  test('is refused after ten wrong guesses, except on a device that signed in before', async () => {
    passSignInWindow()
    const owner = await signedIn(tradepost)
    const guess = () => codeOf(signIn(openBrowser(tradepost), owner.email, 'wrong password'))
    const answers = []
    for (let n = 0; n < 11; n++) answers.push(await guess())
    expect(answers).toEqual([...Array(10).fill('SIGN_IN_FAILED'), 'RATE_LIMITED'])
    const refused = await signIn(openBrowser(tradepost), owner.email)
    expect(refused.json.code).toBe('RATE_LIMITED')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await codeOf(signIn(owner, owner.email))).toBe(200)
    passSignInWindow()
    expect(await codeOf(signIn(openBrowser(tradepost), owner.email))).toBe(200)
  })

  test('from one IP address is refused after fifty wrong guesses, for any accounts', async () => {
    passSignInWindow()
    const remoteAddress = '192.0.2.7'
    const guess = (n: number) =>
      codeOf(
        openBrowser(tradepost).post(
          '/sign-in',
          { email: `nobody${n}@example.com`, password: 'wrong' },
          { remoteAddress },
        ),
      )
    await sql`update sign_in_budget set tries = 0`.execute(tradepost.db)
    for (let n = 0; n < 50; n++) expect(await guess(n)).toBe('SIGN_IN_FAILED')
    expect(await guess(50)).toBe('RATE_LIMITED')
  })
})

describe('a session', () => {
  test('ends with a sign-out, and its cookie is refused afterwards', async () => {
    const browser = await signedIn(tradepost)
    const token = browser.cookies.get('tradepost') ?? ''
    expect(await codeOf(browser.post('/sign-out'))).toBe(200)
    expect(browser.cookies.has('tradepost')).toBe(false)
    browser.cookies.set('tradepost', token)
    expect(await codeOf(browser.get('/me'))).toBe('SIGN_IN_REQUIRED')
  })

  test('ends after 12 hours without a call, and after 30 days in any case (decision 135)', async () => {
    const browser = await signedIn(tradepost)
    for (let halfDay = 0; halfDay < 60; halfDay++) {
      tradepost.forward(12 * HOUR_MS - MINUTE_MS)
      expect(await codeOf(browser.get('/me'))).toBe(200)
    }
    tradepost.forward(12 * HOUR_MS - MINUTE_MS)
    expect(await codeOf(browser.get('/me'))).toBe('SIGN_IN_REQUIRED')
    const idle = await signedIn(tradepost)
    tradepost.forward(12 * HOUR_MS + SECOND_MS)
    expect(await codeOf(idle.get('/me'))).toBe('SIGN_IN_REQUIRED')
    while (await deleteEndedSessionsJob.run(tradepost.app));
    const { rows } = await sql`select from user_session`.execute(tradepost.db)
    expect(rows.length).toBe(0)
  })

  test('is listed, and can be ended by another session of its user only', async () => {
    const first = await signedIn(tradepost)
    const second = openBrowser(tradepost)
    expect(await codeOf(signIn(second, first.email))).toBe(200)
    const { sessions } = (await first.get('/sessions')).json
    expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect(JSON.stringify(sessions)).not.toContain(second.cookies.get('tradepost'))
    const outsider = await signedIn(tradepost)
    const path = `/sessions/${sessions[0].id}`
    expect(await codeOf(outsider.delete(path))).toBe('NOT_FOUND')
    expect((await first.delete(path)).json).toEqual({
      success: true,
      id: sessions[0].id,
      deleted: true,
    })
    expect(await codeOf(second.get('/me'))).toBe('SIGN_IN_REQUIRED')
    expect(await codeOf(first.get('/me'))).toBe(200)
  })

  test('is stored as a keyed hash, and the password as argon2id', async () => {
    const browser = await signedIn(tradepost)
    const { rows } = await sql<{ text: string }>`
      select u::text || s::text as text from dashboard_user u
        join user_session s on s.user_id = u.id where u.id = ${browser.id}`.execute(tradepost.db)
    expect(rows[0]?.text).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(rows[0]?.text).not.toContain(PASSWORD)
    expect(rows[0]?.text).not.toContain(browser.cookies.get('tradepost'))
  })
})

describe('step-up', () => {
  test('lasts 10 minutes, and gives the session a new token (decision 137)', async () => {
    passSignInWindow()
    const browser = await signedIn(tradepost)
    const steppedUp = async () => (await browser.get('/me')).json.stepped_up
    expect(await steppedUp()).toBe(true)
    tradepost.forward(10 * MINUTE_MS)
    expect(await steppedUp()).toBe(false)
    expect(await codeOf(browser.post('/totp'))).toBe('STEP_UP_REQUIRED')
    const oldToken = browser.cookies.get('tradepost') ?? ''
    expect(await codeOf(browser.post('/step-up', { password: 'wrong' }))).toBe('SIGN_IN_FAILED')
    expect(await codeOf(browser.post('/step-up', { password: PASSWORD }))).toBe(200)
    expect(await steppedUp()).toBe(true)
    expect(browser.cookies.get('tradepost')).not.toBe(oldToken)
    browser.cookies.set('tradepost', oldToken)
    expect(await codeOf(browser.get('/me'))).toBe('SIGN_IN_REQUIRED')
  })

  test('is refused in a session of a one-time link, which proves no password', async () => {
    const browser = await signedIn(tradepost, 'owner', { password: false })
    expect((await browser.get('/me')).json).toMatchObject({
      user: { has_password: false },
      stepped_up: false,
    })
    expect(await codeOf(browser.post('/step-up', { password: PASSWORD }))).toBe('STEP_UP_REQUIRED')
    expect(await codeOf(browser.post('/password', { password: PASSWORD }))).toBe(200)
    expect((await browser.get('/me')).json.stepped_up).toBe(true)
  })
})

describe('a password', () => {
  test('is changed with the current one, and the change ends the other sessions', async () => {
    passSignInWindow()
    const browser = await signedIn(tradepost)
    const otherBrowser = openBrowser(tradepost)
    expect(await codeOf(signIn(otherBrowser, browser.email))).toBe(200)
    const change = (fields: object) =>
      codeOf(browser.post('/password', { password: 'another long one', ...fields }))
    expect(await change({})).toBe('VALIDATION_FAILED')
    expect(await change({ current_password: 'wrong' })).toBe('SIGN_IN_FAILED')
    expect(await change({ password: 'short', current_password: PASSWORD })).toBe(
      'VALIDATION_FAILED',
    )
    expect(await change({ password: 'Password123', current_password: PASSWORD })).toBe(
      'VALIDATION_FAILED',
    )
    expect(await change({ password: browser.email, current_password: PASSWORD })).toBe(
      'VALIDATION_FAILED',
    )
    expect(await change({ current_password: PASSWORD })).toBe(200)
    expect(await codeOf(browser.get('/me'))).toBe(200)
    expect(await codeOf(otherBrowser.get('/me'))).toBe('SIGN_IN_REQUIRED')
    expect(await codeOf(signIn(otherBrowser, browser.email))).toBe('SIGN_IN_FAILED')
    expect(await codeOf(signIn(otherBrowser, browser.email, 'another long one'))).toBe(200)
  })
})

test('the cookie is secure and has the prefix __Host- on https; plain http is for this machine only (decision 135)', async () => {
  const body = { email: 'a@example.com', password: 'x' }
  const signInAt = async (url: string) => {
    const server = await openTradepost({ env: { TRADEPOST_PUBLIC_URL: url } })
    const refused = await openBrowser(server).post('/sign-in', body, { origin: url })
    return { server, refused }
  }
  const plain = await signInAt('http://shop.example.com')
  expect([plain.refused.status, plain.refused.json.code]).toEqual([403, 'HTTPS_REQUIRED'])
  expect(plain.refused.json.error).toContain('https://, or to http://127.0.0.1:4100 ')
  const byAddress = { origin: 'http://192.0.2.7:4100' }
  const signInByAddress = openBrowser(plain.server).post('/sign-in', body, byAddress)
  expect(await codeOf(signInByAddress)).toBe('HTTPS_REQUIRED')
  await plain.server.close()
  const { server, refused } = await signInAt('https://shop.example.com')
  expect(refused.json.code).toBe('SIGN_IN_FAILED')
  const store = await selectStore(server.db, server.live.id)
  if (!store) throw new Error('No such store.')
  const { sign_in_url } = await addUser(server.app, store, {
    email: 'o@x.org',
    name: 'O',
    role: 'owner',
  })
  const opened = await openBrowser(server).get(sign_in_url.replace('https://shop.example.com', ''))
  const [session] = [opened.headers['set-cookie']].flat()
  expect(session).toMatch(/^__Host-tradepost=.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  await server.close()
})

describe('a one-time link', () => {
  test('signs in once, and leads to the store (decision 134)', async () => {
    const created = await run('users create', {
      email: 'Link@Example.com',
      store: tradepost.live.id,
    })
    expect(created).toEqual({
      id: expect.any(Number),
      email: 'link@example.com',
      sign_in_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:4100\/dashboard\/sign-in\?token=[\w-]{43}$/,
      ),
    })
    const path = created.sign_in_url.replace(ORIGIN, '')
    const browser = openBrowser(tradepost)
    expect((await browser.call('HEAD', path)).headers['set-cookie']).toBeUndefined()
    const opened = await browser.get(path)
    expect([opened.status, opened.headers.location]).toEqual([
      302,
      `/dashboard/${tradepost.live.id}`,
    ])
    expect(await codeOf(browser.get('/me'))).toBe(200)
    const page = await browser.get(`/dashboard/${tradepost.live.id}`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('link@example.com')])
    const secondUse = await openBrowser(tradepost).get(path)
    expect([secondUse.status, secondUse.headers['set-cookie']]).toEqual([404, undefined])
  })

  test('ends after an hour', async () => {
    const { id } = await signedIn(tradepost)
    const url = await createSignInLink(tradepost.app, id)
    tradepost.forward(HOUR_MS + SECOND_MS)
    const { status } = await openBrowser(tradepost).get(url.replace(ORIGIN, ''))
    expect(status).toBe(404)
  })

  test('of `users reset` sets a new password without the old one', async () => {
    const { email } = await signedIn(tradepost)
    const { sign_in_url } = await run('users reset', { email })
    const browser = openBrowser(tradepost)
    await browser.get(sign_in_url.replace(ORIGIN, ''))
    expect(await codeOf(browser.post('/password', { password: 'a new long one' }))).toBe(200)
    passSignInWindow()
    expect(await codeOf(signIn(openBrowser(tradepost), email, 'a new long one'))).toBe(200)
    await expect(run('users reset', { email: 'no@example.com' })).rejects.toThrow('no@')
  })
})
