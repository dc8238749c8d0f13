import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { addUser, type Role } from '../../src/features/installation/users/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { codeNow, decodeBase32 } from '../authenticator-app.ts'
import { ORIGIN, openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import type { Json, Tradepost } from '../harness.ts'
import { mailsTo } from '../mails.ts'
import { openUnlimited } from './prepared-calls.ts'

// Endpoints of the dashboard for API keys, signing secrets, the team, codes and passwords.

let tradepost: Tradepost
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const stepUp = (browser = owner) => browser.post('/step-up', { password: PASSWORD })
const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status
/** Returns the status of a call of the Store API with a key, or the code of its refusal. */
const callWith = (api_key: string) =>
  tradepost.get('/orders', { as: { ...tradepost.live, api_key } }).then(refusalOf)
const expireCachedKeys = () => tradepost.forward(5 * SECOND_MS)

describe('API keys', () => {
  const NEW_KEY = { name: 'Till', permissions: ['orders:read', 'orders:write'] }

  test('are answered once when created, listed without their secret, and work for this store (decision 134)', async () => {
    await stepUp()
    const before = await lastAuditId(tradepost)
    const { status, json } = await owner.post(`${base}/api-keys`, NEW_KEY)
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      key: expect.stringMatching(/^sk_live_\w{40}$/),
      api_key: {
        id: expect.any(Number),
        kind: 'store',
        prefix: 'sk_live_',
        last4: json.key.slice(-4),
        ...NEW_KEY,
        allowed_ips: [],
        rate_limit: 300,
        only_this_store: true,
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
        created_at: expect.any(String),
      },
    })
    expect(await callWith(json.key)).toBe(200)
    const listed = await owner.get(`${base}/api-keys`)
    expect(listed.json.api_keys[0]).toEqual(json.api_key)
    expect(listed.text).not.toContain(json.key)
    const [event] = await auditEventsSince(tradepost, before)
    expect(event).toMatchObject({
      actor_type: 'user',
      actor_id: String(owner.id),
      action: 'api_key.create',
      object_id: String(json.api_key.id),
    })
    expect(JSON.stringify(event)).not.toContain(json.key)
  })

  test('are changed only if the password was entered in the last 10 minutes (decision 137)', async () => {
    await stepUp()
    const { json } = await owner.post(`${base}/api-keys`, NEW_KEY)
    tradepost.forward(10 * MINUTE_MS)
    const path = `${base}/api-keys/${json.api_key.id}`
    expect(refusalOf(await owner.post(`${base}/api-keys`, NEW_KEY))).toBe('STEP_UP_REQUIRED')
    expect(refusalOf(await owner.patch(path, { name: 'X' }))).toBe('STEP_UP_REQUIRED')
    expect(refusalOf(await owner.post(`${path}/roll`, { mode: 'now' }))).toBe('STEP_UP_REQUIRED')
    expect(refusalOf(await owner.delete(path))).toBe('STEP_UP_REQUIRED')
    expect((await owner.get(`${base}/api-keys`)).status).toBe(200)
  })

  test('can lose permissions and addresses, and cannot get a permission', async () => {
    await stepUp()
    const { json } = await owner.post(`${base}/api-keys`, NEW_KEY)
    const path = `${base}/api-keys/${json.api_key.id}`
    const wider = await owner.patch(path, { permissions: ['orders:read', 'stock:read'] })
    expect(wider.json.details.field).toBe('permissions[1]')
    const narrowed = await owner.patch(path, {
      permissions: ['orders:read'],
      allowed_ips: ['10.0.0.0/8'],
    })
    expect(narrowed.json.api_key).toMatchObject({
      name: 'Till',
      permissions: ['orders:read'],
      allowed_ips: ['10.0.0.0/8'],
    })
    expireCachedKeys()
    expect(await callWith(json.key)).toBe('IP_NOT_ALLOWED')
    expect(refusalOf(await owner.patch(path, { expires_at: '2001-01-01T00:00:00.000Z' }))).toBe(
      'VALIDATION_FAILED',
    )
  })

  test('can be rolled immediately, or with an overlap of 24 hours in which both work', async () => {
    await stepUp()
    const roll = async (mode: string) => {
      const previous = (await owner.post(`${base}/api-keys`, NEW_KEY)).json
      const created = await owner.post(`${base}/api-keys/${previous.api_key.id}/roll`, { mode })
      expireCachedKeys()
      return { oldKey: previous.key as string, created }
    }
    const immediate = await roll('now')
    expect(immediate.created.status).toBe(201)
    expect(immediate.created.json.api_key.permissions).toEqual(NEW_KEY.permissions)
    expect([await callWith(immediate.oldKey), await callWith(immediate.created.json.key)]).toEqual([
      'INVALID_API_KEY',
      200,
    ])
    const overlapping = await roll('overlap')
    expect([
      await callWith(overlapping.oldKey),
      await callWith(overlapping.created.json.key),
    ]).toEqual([200, 200])
    tradepost.forward(DAY_MS)
    expect([
      await callWith(overlapping.oldKey),
      await callWith(overlapping.created.json.key),
    ]).toEqual(['API_KEY_EXPIRED', 200])
    owner = await signedIn(tradepost)
    const previousId = (await owner.post(`${base}/api-keys`, NEW_KEY)).json.api_key.id
    expect(refusalOf(await owner.post(`${base}/api-keys/${previousId}/roll`))).toBe(
      'VALIDATION_FAILED',
    )
  })

  test('are not rolled after they expired, because the new key would have expired too', async () => {
    await stepUp()
    const expires_at = new Date(tradepost.app.clock.now() + MINUTE_MS).toISOString()
    const { json } = await owner.post(`${base}/api-keys`, { ...NEW_KEY, expires_at })
    tradepost.forward(MINUTE_MS)
    const rolled = await owner.post(`${base}/api-keys/${json.api_key.id}/roll`, { mode: 'now' })
    expect(rolled.json).toMatchObject({ code: 'INVALID_STATE', details: { status: 'expired' } })
  })

  test('stay revoked, and a key of all stores cannot be revoked from one store', async () => {
    const { json } = await owner.post(`${base}/api-keys`, NEW_KEY)
    const path = `${base}/api-keys/${json.api_key.id}`
    const revoked = await owner.delete(path)
    expect(revoked.json.api_key.revoked_at).toEqual(expect.any(String))
    expireCachedKeys()
    expect(await callWith(json.key)).toBe('INVALID_API_KEY')
    expect(refusalOf(await owner.delete(path))).toBe('INVALID_STATE')
    await sql`update api_key set store_ids = null, revoked_at = null where id = ${json.api_key.id}`.execute(
      tradepost.db,
    )
    expect(refusalOf(await owner.delete(path))).toBe('INVALID_STATE')
    const testSideOwner = await signedIn(tradepost, 'owner', { store: tradepost.test.id })
    const missingPath = `/stores/${tradepost.test.id}/api-keys/${json.api_key.id}`
    expect(refusalOf(await testSideOwner.delete(missingPath))).toBe('NOT_FOUND')
  })
})

describe('the secret of a webhook endpoint', () => {
  test('can be rolled immediately, or with an overlap of 24 hours, for which the previous secret is kept (decision 19)', async () => {
    const hook = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
    const created = await owner.post(`${base}/v1/webhooks`, hook)
    const { id } = created.json.webhook
    const path = `${base}/webhooks/${id}/roll-secret`
    expect(refusalOf(await owner.post(path, {}))).toBe('VALIDATION_FAILED')
    const selectPreviousSecret = async () => {
      const { rows } = await sql<Json>`
        select prev_secret_enc is not null as has_previous, prev_secret_until
          from webhook_endpoint where public_id = ${id}`.execute(tradepost.db)
      return rows[0]
    }
    const overlap = await owner.post(path, { mode: 'overlap' })
    expect(overlap.status).toBe(200)
    expect(overlap.json.secret).toMatch(/^whsec_/)
    expect(overlap.json.secret).not.toBe(created.json.secret)
    const until = Date.parse(overlap.json.old_secret_until)
    expect(Math.abs(until - tradepost.app.clock.now() - DAY_MS)).toBeLessThan(HOUR_MS)
    expect(await selectPreviousSecret()).toEqual({
      has_previous: true,
      prev_secret_until: expect.any(String),
    })
    const immediate = await owner.post(path, { mode: 'now' })
    expect(immediate.json.old_secret_until).toBeNull()
    expect(await selectPreviousSecret()).toEqual({ has_previous: false, prev_secret_until: null })
    expect((await owner.get(`${base}/v1/webhooks/${id}`)).text).not.toContain(immediate.json.secret)
    const unknown = await owner.post(`${base}/webhooks/we_x/roll-secret`, { mode: 'now' })
    expect(refusalOf(unknown)).toBe('NOT_FOUND')
  })
})

describe('the team', () => {
  const acceptInvitation = (url: string, fields: Json, browser = openBrowser(tradepost)) => {
    const token = new URL(url).searchParams.get('token')
    return browser.post('/invitations/accept', { token, ...fields })
  }

  test('gets a member by an invitation, whose link is in the answer if no mail server is configured', async () => {
    await stepUp()
    const invited = await owner.post(`${base}/invitations`, { email: 'Ada@x.org', role: 'staff' })
    expect(invited.status).toBe(201)
    expect(invited.json.invitation).toMatchObject({ email: 'ada@x.org', role: 'staff' })
    const { url } = invited.json
    const listed = await owner.get(`${base}/invitations`)
    expect(listed.json.invitations).toEqual([invited.json.invitation])
    const browser = openBrowser(tradepost)
    const token = new URL(url).searchParams.get('token')
    const invitation = await browser.post('/invitations/find', { token })
    expect(invitation.json).toEqual({
      success: true,
      store: 'Here',
      email: 'ada@x.org',
      role: 'staff',
      has_account: false,
    })
    expect(refusalOf(await acceptInvitation(url, {}, browser))).toBe('VALIDATION_FAILED')
    const joined = await acceptInvitation(url, { name: 'Ada', password: PASSWORD }, browser)
    expect(joined.json).toEqual({ success: true, store_id: tradepost.live.id })
    const { stores } = (await browser.get('/me')).json
    expect(stores.map(({ role, livemode }: Json) => [role, livemode])).toEqual([
      ['staff', true],
      ['staff', false],
    ])
    expect(refusalOf(await acceptInvitation(url, { name: 'Eve', password: PASSWORD }))).toBe(
      'NOT_FOUND',
    )
    const { team } = (await owner.get(`${base}/team`)).json
    expect(team.at(-1)).toMatchObject({ email: 'ada@x.org', name: 'Ada', role: 'staff' })
  })

  test('gets a member with an account only by a session of that account, and only by the latest invitation', async () => {
    const otherOwner = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const invite = async () => {
      await stepUp()
      const body = { email: otherOwner.email, role: 'viewer' }
      return (await owner.post(`${base}/invitations`, body)).json.url as string
    }
    const firstLink = await invite()
    const secondLink = await invite()
    expect(refusalOf(await acceptInvitation(firstLink, {}, otherOwner))).toBe('NOT_FOUND')
    expect(refusalOf(await acceptInvitation(secondLink, { name: 'Eve', password: PASSWORD }))).toBe(
      'SIGN_IN_REQUIRED',
    )
    expect((await acceptInvitation(secondLink, {}, otherOwner)).status).toBe(200)
    await owner.delete(`${base}/team/${otherOwner.id}`)
    expect((await otherOwner.get(`${base}/team`)).status).toBe(404)
  })

  test('gets no member by an invitation that is older than 7 days', async () => {
    await stepUp()
    const body = { email: 'slow@x.org', role: 'viewer' }
    const { url } = (await owner.post(`${base}/invitations`, body)).json
    const token = new URL(url).searchParams.get('token')
    const find = () => openBrowser(tradepost).post('/invitations/find', { token })
    tradepost.forward(7 * DAY_MS - HOUR_MS)
    expect((await find()).status).toBe(200)
    tradepost.forward(HOUR_MS)
    expect(refusalOf(await find())).toBe('NOT_FOUND')
    owner = await signedIn(tradepost)
  })

  test('keeps its last owner, and only owners appoint or change owners (decision 136)', async () => {
    await sql`delete from store_role where user_id <> ${owner.id}`.execute(tradepost.db)
    await stepUp()
    const memberPath = (id: number) => `${base}/team/${id}`
    expect(refusalOf(await owner.patch(memberPath(owner.id), { role: 'admin' }))).toBe(
      'INVALID_STATE',
    )
    expect(refusalOf(await owner.delete(memberPath(owner.id)))).toBe('INVALID_STATE')
    const admin = await signedIn(tradepost, 'admin')
    expect(refusalOf(await admin.patch(memberPath(owner.id), { role: 'staff' }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    expect(refusalOf(await admin.patch(memberPath(admin.id), { role: 'owner' }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    const body = { email: 'boss@x.org', role: 'owner' }
    expect(refusalOf(await admin.post(`${base}/invitations`, body))).toBe('INSUFFICIENT_SCOPE')
    expect((await owner.post(`${base}/invitations`, body)).status).toBe(201)
    const lowerRole = { ...body, role: 'staff' }
    expect(refusalOf(await admin.post(`${base}/invitations`, lowerRole))).toBe('INSUFFICIENT_SCOPE')
    const promoted = await owner.patch(memberPath(admin.id), { role: 'owner' })
    expect(promoted.json.member).toMatchObject({ id: admin.id, role: 'owner' })
    const answers = await Promise.all([
      owner.patch(memberPath(admin.id), { role: 'staff' }),
      admin.patch(memberPath(owner.id), { role: 'staff' }),
    ])
    const { rows } = await sql<{ sides: number }>`
      select count(*)::int as sides from store_role where role = 'owner'
        and store_id in (select id from store where slug = 'here')`.execute(tradepost.db)
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(rows[0]?.sides).toBe(2)
  })

  test('keeps its last owner when that owner accepts an older invitation or gets another role by a command (decision 136)', async () => {
    await sql`delete from store_role where user_id <> ${owner.id}`.execute(tradepost.db)
    await sql`update store_role set role = 'owner' where user_id = ${owner.id}`.execute(
      tradepost.db,
    )
    await stepUp()
    const email = 'late@x.org'
    const { url } = (await owner.post(`${base}/invitations`, { email, role: 'viewer' })).json
    const store = await selectStore(tradepost.db, tradepost.live.id)
    if (!store) throw new Error('No such store.')
    const giveRole = (role: Role) => addUser(tradepost.app, store, { email, name: 'Late', role })
    const lastOwner = openBrowser(tradepost)
    await lastOwner.get((await giveRole('owner')).sign_in_url.replace(ORIGIN, ''))
    expect((await owner.patch(`${base}/team/${owner.id}`, { role: 'admin' })).status).toBe(200)
    expect(refusalOf(await acceptInvitation(url, {}, lastOwner))).toBe('INVALID_STATE')
    await expect(giveRole('viewer')).rejects.toMatchObject({ code: 'INVALID_STATE' })
    const { stores } = (await lastOwner.get('/me')).json
    expect(stores.map(({ role }: Json) => role)).toEqual(['owner', 'owner'])
  })
})

describe('codes of an authenticator app', () => {
  test('are required after they are enabled, and each code and each recovery code works once', async () => {
    const user = await signedIn(tradepost)
    const enrolment = await user.post('/totp')
    expect(enrolment.json.otpauth_url).toContain(enrolment.json.secret)
    const secret = decodeBase32(enrolment.json.secret)
    const code = () => codeNow(tradepost, secret)
    expect(refusalOf(await user.post('/totp/confirm', { code: 'wrong' }))).toBe('VALIDATION_FAILED')
    const confirmed = await user.post('/totp/confirm', { code: code() })
    expect(confirmed.json.recovery_codes).toHaveLength(10)
    tradepost.forward(MINUTE_MS)
    const signIn = (fields: Json) =>
      openBrowser(tradepost)
        .post('/sign-in', { email: user.email, password: PASSWORD, ...fields })
        .then(refusalOf)
    const answers = []
    for (let n = 0; n < 11; n++) answers.push(await signIn({}))
    // Only wrong passwords are limited.
    expect(answers).toEqual(Array(11).fill('CODE_REQUIRED'))
    const currentCode = code()
    expect(await signIn({ code: currentCode })).toBe(200)
    expect(await signIn({ code: currentCode })).toBe('SIGN_IN_FAILED')
    const [recoveryCode] = confirmed.json.recovery_codes
    expect(await signIn({ code: recoveryCode })).toBe(200)
    expect(await signIn({ code: recoveryCode })).toBe('SIGN_IN_FAILED')
    const { rows } = await sql<{ text: string }>`
      select u::text as text from dashboard_user u where id = ${user.id}`.execute(tradepost.db)
    expect(rows[0]?.text).not.toContain(secret.toString('hex'))
    expect((await user.delete('/totp')).status).toBe(200)
    expect(await signIn({})).toBe(200)
  })
})

describe('a lost password', () => {
  test('is replaced by a mailed link, and the answer is the same for every address', async () => {
    const user = await signedIn(tradepost)
    const requestReset = (email: string) =>
      openBrowser(tradepost).post('/password-resets', { email })
    expect((await requestReset('nobody@x.org')).text).toBe((await requestReset(user.email)).text)
    await expect.poll(() => mailsTo(tradepost, user.email)).toHaveLength(1)
    const [mail] = await mailsTo(tradepost, user.email)
    const [, token] = /token=([\w-]+)/.exec(mail?.text) ?? []
    const browser = openBrowser(tradepost)
    const setPassword = (password: string) =>
      browser.post('/password-resets/confirm', { token, password }).then(refusalOf)
    expect(await setPassword('short')).toBe('VALIDATION_FAILED')
    expect(await setPassword('a whole new one')).toBe(200)
    expect(await setPassword('a whole new one')).toBe('NOT_FOUND')
    expect((await browser.get('/me')).json.user.id).toBe(user.id)
    expect(refusalOf(await user.get('/me'))).toBe('SIGN_IN_REQUIRED')
  })

  test('is requested with the same answer if a statement of the mail fails, because the answer does not wait for the mail', async () => {
    const user = await signedIn(tradepost)
    for (const n of [1, 2, 3]) {
      const requestReset = () =>
        openBrowser(tradepost).post('/password-resets', { email: user.email })
      const { answer } = await tradepost.failing(n, requestReset)
      expect([answer.status, answer.json]).toEqual([200, { success: true }])
    }
  })
})
