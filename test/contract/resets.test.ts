import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Command } from '../../src/command.ts'
import { userCommands } from '../../src/features/installation/users/index.ts'
import { selectUser } from '../../src/features/installation/users/queries/users.ts'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { openAuthenticator } from '../authenticator.ts'
import { turnCodesOn } from '../authenticator-app.ts'
import { ORIGIN, openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { mailsTo } from '../mails.ts'

// How a user who lost the password or the phone gets in, and nobody else (decision 173).

let tradepost: Tradepost
let user: SignedIn

beforeAll(async () => {
  tradepost = await openTradepost()
})
beforeEach(async () => {
  // Attempts of earlier tests no longer count.
  tradepost.forward(HOUR_MS)
  user = await signedIn(tradepost)
})
afterAll(() => tradepost.close())

const resetCommand: Command | undefined = userCommands.find(({ name }) => name === 'users reset')
const reset = (options: Json = {}): Promise<Json> =>
  resetCommand?.run(tradepost.app, { email: user.email, ...options }) as Promise<Json>

const openLink = async (url: string) => {
  const browser = openBrowser(tradepost)
  await browser.get(url.replace(ORIGIN, ''))
  return browser
}

const codeOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

const signIn = async (fields: Json = {}) =>
  codeOf(
    await openBrowser(tradepost).post('/sign-in', {
      email: user.email,
      password: PASSWORD,
      ...fields,
    }),
  )

async function addPasskey(name: string): Promise<void> {
  const { options } = (await user.post('/passkeys/options')).json
  const response = openAuthenticator().create(options)
  const { status, text } = await user.post('/passkeys', { name, response })
  if (status !== 201) throw new Error(text)
}

const askForReset = ({ email }: { email: string }) =>
  openBrowser(tradepost).post('/password-resets', { email })

/** Returns the token of the newest mail to the user. */
async function mailedToken(count = 1): Promise<string> {
  await askForReset(user)
  await expect.poll(() => mailsTo(tradepost, user.email)).toHaveLength(count)
  const mails = await mailsTo(tradepost, user.email)
  return /token=([\w-]+)/.exec(mails.at(-1)?.text)?.[1] ?? ''
}

const confirmReset = (fields: Json) =>
  openBrowser(tradepost).post('/password-resets/confirm', { password: 'a new long one', ...fields })

describe('a reset by the operator', () => {
  test('ends every session, the password, and the links that were mailed before', async () => {
    const token = await mailedToken()
    await reset()
    expect(codeOf(await user.get('/me'))).toBe('SIGN_IN_REQUIRED')
    expect(await signIn()).toBe('SIGN_IN_FAILED')
    expect(codeOf(await confirmReset({ token }))).toBe('NOT_FOUND')
  })

  test('leaves no other way to a new password until its link is used', async () => {
    const { sign_in_url } = await reset()
    const other = await signedIn(tradepost)
    await askForReset(user)
    await askForReset(other)
    await expect.poll(() => mailsTo(tradepost, other.email)).toHaveLength(1)
    expect(await mailsTo(tradepost, user.email)).toEqual([])
    const browser = await openLink(sign_in_url)
    expect((await browser.post('/password', { password: 'a new long one' })).status).toBe(200)
    expect(await signIn({ password: 'a new long one' })).toBe(200)
    expect(await mailedToken()).not.toBe('')
  })

  test('asks for codes until its link is used, which turns them off', async () => {
    await turnCodesOn(tradepost, user)
    const { sign_in_url } = await reset()
    expect(codeOf(await user.get('/me'))).toBe('SIGN_IN_REQUIRED')
    const stored = await selectUser(tradepost.db, user.id)
    expect(stored?.totp_enabled_at).not.toBeNull()
    const browser = await openLink(sign_in_url)
    expect((await browser.get('/me')).json.user.has_totp).toBe(false)
  })

  test('with --keep-factors leaves codes on', async () => {
    await turnCodesOn(tradepost, user)
    const { sign_in_url } = await reset({ keepFactors: true })
    const browser = await openLink(sign_in_url)
    expect((await browser.get('/me')).json.user.has_totp).toBe(true)
    await browser.post('/password', { password: 'a new long one' })
    expect(await signIn({ password: 'a new long one' })).toBe('CODE_REQUIRED')
  })

  test('names the passkeys that still sign in', async () => {
    await addPasskey('Blue phone')
    const answer = await reset()
    expect(answer.passkeys).toMatchObject([{ name: 'Blue phone', last_used_at: null }])
    const text = resetCommand?.print?.(answer as never)
    expect(text).toMatch(
      /\n\nThe passkey Blue phone of \d{4}-\d\d-\d\d still signs in; last used: never\.$/,
    )
  })
})

describe('a reset by mail', () => {
  test('needs a code or a recovery code if the user has codes', async () => {
    const [recoveryCode] = await turnCodesOn(tradepost, user)
    const token = await mailedToken()
    expect(codeOf(await confirmReset({ token }))).toBe('CODE_REQUIRED')
    expect(codeOf(await confirmReset({ token, code: '000000' }))).toBe('SIGN_IN_FAILED')
    expect(codeOf(await confirmReset({ token, code: recoveryCode }))).toBe(200)
  })

  test('shows a form only if its link is valid; otherwise the page says at once how to get another one', async () => {
    const token = await mailedToken()
    const pageOf = (path: string) => openBrowser(tradepost).get(`/dashboard${path}`)
    const valid = await pageOf(`/reset-password?token=${token}`)
    expect([valid.status, valid.text.includes('name="password"')]).toEqual([200, true])
    await confirmReset({ token })
    for (const wrong of [token, 'bad', '']) {
      const page = await pageOf(`/reset-password?token=${wrong}`)
      expect([page.status, page.text.includes('name="password"')]).toEqual([404, false])
      expect(page.text).toContain('This link is wrong, was used before, or is older than an hour.')
    }
    const forwarded = await pageOf('/password?token=bad')
    expect([forwarded.status, forwarded.headers.location]).toEqual([
      302,
      '/dashboard/reset-password?token=bad',
    ])
    expect((await pageOf('/password')).headers.location).toBe('/dashboard/sign-in')
  })

  test('answers with the passkeys that still sign in, and the page shows them', async () => {
    await addPasskey('Blue <phone>')
    const { json } = await confirmReset({ token: await mailedToken() })
    expect(json.passkeys).toMatchObject([{ name: 'Blue <phone>' }])
    const form = new URLSearchParams({
      token: await mailedToken(2),
      password: 'another long one',
    }).toString()
    const page = await openBrowser(tradepost).post('/dashboard/reset-password', undefined, {
      raw: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
    expect(page.status).toBe(200)
    expect(page.text).toContain('<li>Blue &lt;phone&gt;</li>')
  })
})
