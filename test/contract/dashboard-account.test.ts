import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { mailsTo } from '../mails.ts'

// The name and the email address of a user.

let tradepost: Tradepost
let withMail: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  const env = { TRADEPOST_SMTP_URL: 'smtp://127.0.0.1:59999?from=shop@example.com' }
  withMail = await openTradepost({ env })
})
afterAll(async () => {
  await tradepost.close()
  await withMail.close()
})

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status
const tokenIn = (text: string): string => /email_token=([\w-]{43})/.exec(text)?.[1] ?? ''
const confirm = (user: SignedIn, token: string) => user.post('/email-changes/confirm', { token })

/** Asks for a link to a new address, and returns its token. The server has no mail server. */
async function requestedToken(user: SignedIn, email: string): Promise<string> {
  const { status, json } = await user.post('/email-changes', { email })
  expect(status).toBe(201)
  expect(json.email).toBe(email)
  return tokenIn(json.url)
}

const signInAs = (email: string) =>
  openBrowser(tradepost).post('/sign-in', { email, password: PASSWORD }).then(refusalOf)

describe('the name of a user', () => {
  test('is changed by the user without a password, and the change is audited', async () => {
    const user = await signedIn(tradepost, 'viewer')
    tradepost.forward(11 * MINUTE_MS)
    const before = await lastAuditId(tradepost)
    const { status, json } = await user.patch('/me', { name: 'Mara Q.' })
    expect([status, json.user.name]).toEqual([200, 'Mara Q.'])
    expect((await user.get('/me')).json.user.name).toBe('Mara Q.')
    const [event] = await auditEventsSince(tradepost, before)
    expect(event).toMatchObject({
      action: 'user.rename',
      actor_id: String(user.id),
      object_id: String(user.id),
      changes: { name: { from: 'viewer', to: 'Mara Q.' } },
    })
  })

  test('is refused if it is empty or the user is not signed in, and an unchanged one is not audited', async () => {
    const user = await signedIn(tradepost)
    const before = await lastAuditId(tradepost)
    expect(refusalOf(await user.patch('/me', { name: ' ' }))).toBe('VALIDATION_FAILED')
    expect(refusalOf(await openBrowser(tradepost).patch('/me', { name: 'X' }))).toBe(
      'SIGN_IN_REQUIRED',
    )
    expect((await user.patch('/me', { name: 'owner' })).status).toBe(200)
    expect(await auditEventsSince(tradepost, before)).toEqual([])
  })
})

describe('the email address of a user', () => {
  test('is changed by the link, which the answer has if there is no mail server, once', async () => {
    const user = await signedIn(tradepost)
    const before = await lastAuditId(tradepost)
    const token = await requestedToken(user, 'new@example.com')
    expect((await user.get('/me')).json.user.email).toBe(user.email)
    expect(await signInAs('new@example.com')).toBe('SIGN_IN_FAILED')
    expect((await confirm(user, token)).json.user.email).toBe('new@example.com')
    expect(await signInAs('new@example.com')).toBe(200)
    expect(await signInAs(user.email)).toBe('SIGN_IN_FAILED')
    expect(refusalOf(await confirm(user, token))).toBe('NOT_FOUND')
    const events = await auditEventsSince(tradepost, before)
    expect(events.map(({ action }: Json) => action)).toContain('user.request_email')
    expect(events.find(({ action }: Json) => action === 'user.change_email')).toMatchObject({
      actor_id: String(user.id),
      // The trail masks email addresses.
      changes: { email: { from: '••••', to: '••••' } },
    })
    expect(JSON.stringify(events)).not.toContain(token)
  })

  test('needs a password or passkey of the last 10 minutes for the link', async () => {
    const user = await signedIn(tradepost)
    tradepost.forward(11 * MINUTE_MS)
    const request = () => user.post('/email-changes', { email: 'later@example.com' })
    expect(refusalOf(await request())).toBe('STEP_UP_REQUIRED')
    await user.post('/step-up', { password: PASSWORD })
    expect((await request()).status).toBe(201)
  })

  test('is not changed by the link of another user, after an hour, or after the password was changed', async () => {
    const user = await signedIn(tradepost)
    const other = await signedIn(tradepost)
    const token = await requestedToken(user, 'mine@example.com')
    expect(refusalOf(await confirm(other, token))).toBe('NOT_FOUND')
    const request = { password: 'another long password', current_password: PASSWORD }
    expect((await user.post('/password', request)).status).toBe(200)
    expect(refusalOf(await confirm(user, token))).toBe('NOT_FOUND')
    const late = await requestedToken(user, 'mine@example.com')
    tradepost.forward(HOUR_MS)
    expect(refusalOf(await confirm(user, late))).toBe('NOT_FOUND')
    expect((await user.get('/me')).json.user.email).toBe(user.email)
  })

  test('cannot be that of another user, who may also take it before the link is used', async () => {
    const user = await signedIn(tradepost)
    const other = await signedIn(tradepost)
    const taken = await user.post('/email-changes', { email: other.email })
    expect([refusalOf(taken), taken.json.details.field]).toEqual(['VALIDATION_FAILED', 'email'])
    const mine = await requestedToken(user, 'wanted@example.com')
    const theirs = await requestedToken(other, 'wanted@example.com')
    expect((await confirm(other, theirs)).status).toBe(200)
    expect(refusalOf(await confirm(user, mine))).toBe('VALIDATION_FAILED')
  })

  test('has at most 3 open links, and a used one ends the others', async () => {
    const user = await signedIn(tradepost)
    const tokens: string[] = []
    for (const n of [1, 2, 3]) tokens.push(await requestedToken(user, `third${n}@example.com`))
    const fourth = await user.post('/email-changes', { email: 'third4@example.com' })
    expect(refusalOf(fourth)).toBe('INVALID_STATE')
    expect((await confirm(user, tokens[1] ?? '')).json.user.email).toBe('third2@example.com')
    expect(refusalOf(await confirm(user, tokens[0] ?? ''))).toBe('NOT_FOUND')
  })

  test('is confirmed by a mail to the new address, and the former address gets a mail about the change', async () => {
    const user = await signedIn(withMail)
    const { json } = await user.post('/email-changes', { email: 'mailed@example.com' })
    expect(json.url).toBeNull()
    const [mail] = await mailsTo(withMail, 'mailed@example.com')
    expect(mail?.text).toContain(`/dashboard/${withMail.live.id}/settings/account?email_token=`)
    expect(await mailsTo(withMail, user.email)).toEqual([])
    expect((await confirm(user, tokenIn(mail?.text))).status).toBe(200)
    const [notice] = await mailsTo(withMail, user.email)
    expect(notice?.text).toContain('mailed@example.com')
    const outbox = await withMail.get('/account/outbox')
    expect(outbox.json.messages.map(({ template }: Json) => template)).toEqual([
      'email_changed',
      'email_change',
    ])
  })
})
