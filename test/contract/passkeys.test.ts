import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingPartyOf } from '../../src/features/installation/users/relying-party.rules.ts'
import { MINUTE_MS } from '../../src/kernel/time.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { type Authenticator, openAuthenticator, type Page } from '../authenticator.ts'
import { openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The passkeys of the users of the dashboard (decision 286).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const codeOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

async function addPasskey(user: SignedIn, passkey = openAuthenticator(), page: Page = {}) {
  const { options } = (await user.post('/passkeys/options')).json
  const response = passkey.create(options, page)
  const answer = await user.post('/passkeys', { name: 'Phone', response })
  return { passkey, answer, response }
}

async function signIn(passkey: Authenticator, page: Page = {}) {
  const browser = openBrowser(tradepost)
  const { options } = (await browser.post('/passkeys/sign-in/options')).json
  const response = passkey.get(options, page)
  return { browser, response, answer: await browser.post('/passkeys/sign-in', { response }) }
}

test('a passkey is added, listed, renamed and deleted, and each change is audited', async () => {
  const user = await signedIn(tradepost)
  const before = await lastAuditId(tradepost)
  const { answer } = await addPasskey(user)
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.json.passkey
  expect(answer.json.passkey).toEqual({
    id: expect.any(Number),
    name: 'Phone',
    backed_up: false,
    created_at: expect.any(String),
    last_used_at: null,
  })
  const renamed = await user.patch(`/passkeys/${id}`, { name: 'Laptop' })
  expect(renamed.json.passkey.name).toBe('Laptop')
  expect((await user.get('/passkeys')).json.passkeys).toEqual([renamed.json.passkey])
  const outsider = await signedIn(tradepost)
  expect(codeOf(await outsider.patch(`/passkeys/${id}`, { name: 'Mine' }))).toBe('NOT_FOUND')
  expect(codeOf(await outsider.delete(`/passkeys/${id}`))).toBe('NOT_FOUND')
  expect((await user.delete(`/passkeys/${id}`)).json).toEqual({ success: true, id, deleted: true })
  expect((await user.get('/passkeys')).json.passkeys).toEqual([])
  const actions = (await auditEventsSince(tradepost, before)).map(({ action }: Json) => action)
  expect(new Set(actions.filter((action: string) => action.includes('passkey')))).toEqual(
    new Set(['user.add_passkey', 'user.rename_passkey', 'user.delete_passkey']),
  )
})

test('a passkey is added and deleted only if the password was entered in the last 10 minutes', async () => {
  const user = await signedIn(tradepost)
  const { answer } = await addPasskey(user)
  tradepost.forward(10 * MINUTE_MS)
  expect(codeOf(await user.post('/passkeys/options'))).toBe('STEP_UP_REQUIRED')
  const path = `/passkeys/${answer.json.passkey.id}`
  expect(codeOf(await user.delete(path))).toBe('STEP_UP_REQUIRED')
})

describe('sign-in', () => {
  test('with a passkey starts a stepped-up session, and needs no code even if the user has enabled codes', async () => {
    const user = await signedIn(tradepost)
    const { passkey } = await addPasskey(user)
    await sql`update dashboard_user set totp_secret_enc = '\\x00', totp_enabled_at = now()
               where id = ${user.id}`.execute(tradepost.db)
    const { browser, answer } = await signIn(passkey)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json.user).toMatchObject({ id: user.id, email: user.email })
    const me = (await browser.get('/me')).json
    expect([me.user.id, me.stepped_up]).toEqual([user.id, true])
    const [listedPasskey] = (await user.get('/passkeys')).json.passkeys
    expect(listedPasskey.last_used_at).toEqual(expect.any(String))
  })

  test.each<[string, Page]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['a user who was not verified', { verified: false }],
  ])('is refused for %s', async (_, page) => {
    const { passkey } = await addPasskey(await signedIn(tradepost))
    const { answer, browser } = await signIn(passkey, page)
    expect(codeOf(answer)).toBe('SIGN_IN_FAILED')
    expect(codeOf(await browser.get('/me'))).toBe('SIGN_IN_REQUIRED')
  })

  test('with a used answer of a passkey is refused', async () => {
    const { passkey } = await addPasskey(
      await signedIn(tradepost),
      openAuthenticator({ counts: false }),
    )
    const { answer, response } = await signIn(passkey)
    expect(answer.status, answer.text).toBe(200)
    const secondAnswer = await openBrowser(tradepost).post('/passkeys/sign-in', { response })
    expect(codeOf(secondAnswer)).toBe('SIGN_IN_FAILED')
  })

  test('with a counter that decreased is refused, because the passkey may have been copied', async () => {
    const { passkey } = await addPasskey(await signedIn(tradepost))
    expect((await signIn(passkey)).answer.status).toBe(200)
    passkey.counter -= 1
    expect(codeOf((await signIn(passkey)).answer)).toBe('SIGN_IN_FAILED')
    passkey.counter += 1
    expect((await signIn(passkey)).answer.status).toBe(200)
  })

  test('with a challenge older than 5 minutes, or one for another purpose, is refused', async () => {
    const user = await signedIn(tradepost)
    const { passkey } = await addPasskey(user)
    const browser = openBrowser(tradepost)
    const signInOptions = (await browser.post('/passkeys/sign-in/options')).json.options
    const stepUpOptions = (await user.post('/step-up/options')).json.options
    const send = (options: Json) =>
      browser.post('/passkeys/sign-in', { response: passkey.get(options) }).then(codeOf)
    expect(await send(stepUpOptions)).toBe('SIGN_IN_FAILED')
    tradepost.forward(5 * MINUTE_MS)
    expect(await send(signInOptions)).toBe('SIGN_IN_FAILED')
  })

  test('with an unknown or deleted passkey, or a changed signature, is refused', async () => {
    const user = await signedIn(tradepost)
    const { passkey, answer } = await addPasskey(user)
    expect(codeOf((await signIn(openAuthenticator())).answer)).toBe('SIGN_IN_FAILED')
    const browser = openBrowser(tradepost)
    const { options } = (await browser.post('/passkeys/sign-in/options')).json
    const response = passkey.get(options)
    response.response.signature = openAuthenticator().get(options).response.signature
    expect(codeOf(await browser.post('/passkeys/sign-in', { response }))).toBe('SIGN_IN_FAILED')
    await user.delete(`/passkeys/${answer.json.passkey.id}`)
    expect(codeOf((await signIn(passkey)).answer)).toBe('SIGN_IN_FAILED')
  })
})

describe('the registration of a passkey', () => {
  test('is refused for another origin or challenge, for a used answer, for a registered passkey, and for another user', async () => {
    const user = await signedIn(tradepost)
    const register = async (page: Page) =>
      (await addPasskey(user, openAuthenticator(), page)).answer.json
    const otherOrigin = await register({ origin: 'https://evil.example' })
    expect([otherOrigin.code, otherOrigin.details.field]).toEqual(['VALIDATION_FAILED', 'response'])
    const otherChallenge = await register({ challenge: Buffer.alloc(54).toString('base64url') })
    expect(otherChallenge.code).toBe('VALIDATION_FAILED')
    const { passkey, response } = await addPasskey(user)
    const repeat = await user.post('/passkeys', { name: 'Again', response })
    expect(repeat.json.error).toContain('answered before')
    expect((await addPasskey(user, passkey)).answer.json.error).toContain('registered already')
    const otherUser = await signedIn(tradepost)
    const { options } = (await user.post('/passkeys/options')).json
    const answerForUser = openAuthenticator().create(options)
    expect(codeOf(await otherUser.post('/passkeys', { name: 'X', response: answerForUser }))).toBe(
      'VALIDATION_FAILED',
    )
  })
})

describe('a step-up', () => {
  test('accepts a passkey instead of the password, and renews the cookie', async () => {
    const user = await signedIn(tradepost)
    const { passkey } = await addPasskey(user)
    tradepost.forward(10 * MINUTE_MS)
    const cookie = user.cookies.get('tradepost')
    const { options } = (await user.post('/step-up/options')).json
    const stepUp = await user.post('/step-up', { passkey: passkey.get(options) })
    expect(stepUp.status, stepUp.text).toBe(200)
    expect(user.cookies.get('tradepost')).not.toBe(cookie)
    expect((await user.get('/me')).json.stepped_up).toBe(true)
  })

  test('is refused with a passkey of another user, without a proof, and with two proofs', async () => {
    const user = await signedIn(tradepost)
    const otherUser = await signedIn(tradepost)
    await addPasskey(user)
    const { passkey } = await addPasskey(otherUser)
    const { options } = (await user.post('/step-up/options')).json
    expect(codeOf(await user.post('/step-up', { passkey: passkey.get(options) }))).toBe(
      'SIGN_IN_FAILED',
    )
    expect(codeOf(await user.post('/step-up', {}))).toBe('VALIDATION_FAILED')
    const bothProofs = { password: PASSWORD, passkey: passkey.get(options) }
    expect(codeOf(await user.post('/step-up', bothProofs))).toBe('VALIDATION_FAILED')
    const userWithoutPasskey = await signedIn(tradepost)
    expect(codeOf(await userWithoutPasskey.post('/step-up/options'))).toBe('INVALID_STATE')
  })
})

test.each([
  ['https://shop.example.com', { id: 'shop.example.com', origins: ['https://shop.example.com'] }],
  ['http://127.0.0.1:4100', { id: 'localhost', origins: ['http://localhost:4100'] }],
  ['https://203.0.113.7', undefined],
])('the relying party of the public URL %s is %j', (url, expected) => {
  expect(relyingPartyOf(url)).toEqual(expected)
})
