import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { addUser, type Role } from '../../src/features/installation/users/index.ts'
import { codeAt, stepAt } from '../../src/features/installation/users/totp.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { auditedSince, lastAuditId } from '../audited.ts'
import { ORIGIN, openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openWalk } from './walk.ts'

/** Endpoints of the dashboard in addition to the two APIs: keys, secrets, the team, codes. */

let tradepost: Tradepost
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openWalk()
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const stepUp = (browser = owner) => browser.post('/step-up', { password: PASSWORD })
const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status
const call = (api_key: string) =>
  tradepost.get('/orders', { as: { ...tradepost.live, api_key } }).then(refusalOf)
const later = () => tradepost.forward(5 * SECOND_MS)

describe('API keys', () => {
  const NEW = { name: 'Till', permissions: ['orders:read', 'orders:write'] }

  test('are shown once, listed without their secret, and work for this store (decision 134)', async () => {
    await stepUp()
    const before = await lastAuditId(tradepost)
    const { status, json } = await owner.post(`${base}/api-keys`, NEW)
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      key: expect.stringMatching(/^sk_live_\w{40}$/),
      api_key: {
        id: expect.any(Number),
        kind: 'store',
        prefix: 'sk_live_',
        last4: json.key.slice(-4),
        ...NEW,
        allowed_ips: [],
        rate_limit: 300,
        only_this_store: true,
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
        created_at: expect.any(String),
      },
    })
    expect(await call(json.key)).toBe(200)
    const listed = await owner.get(`${base}/api-keys`)
    expect(listed.json.api_keys[0]).toEqual(json.api_key)
    expect(listed.text).not.toContain(json.key)
    const [event] = await auditedSince(tradepost, before)
    expect(event).toMatchObject({
      actor_type: 'user',
      actor_id: String(owner.id),
      action: 'api_key.create',
      object_id: String(json.api_key.id),
    })
    expect(JSON.stringify(event)).not.toContain(json.key)
  })

  test('need a password given in the last 10 minutes (decision 137)', async () => {
    await stepUp()
    const { json } = await owner.post(`${base}/api-keys`, NEW)
    tradepost.forward(10 * MINUTE_MS)
    const path = `${base}/api-keys/${json.api_key.id}`
    expect(refusalOf(await owner.post(`${base}/api-keys`, NEW))).toBe('STEP_UP_REQUIRED')
    expect(refusalOf(await owner.patch(path, { name: 'X' }))).toBe('STEP_UP_REQUIRED')
    expect(refusalOf(await owner.post(`${path}/roll`, { mode: 'now' }))).toBe('STEP_UP_REQUIRED')
    expect(refusalOf(await owner.delete(path))).toBe('STEP_UP_REQUIRED')
    expect((await owner.get(`${base}/api-keys`)).status).toBe(200)
  })

  test('are narrowed, and never widened', async () => {
    await stepUp()
    const { json } = await owner.post(`${base}/api-keys`, NEW)
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
    later()
    expect(await call(json.key)).toBe('IP_NOT_ALLOWED')
    expect(refusalOf(await owner.patch(path, { expires_at: '2001-01-01T00:00:00.000Z' }))).toBe(
      'VALIDATION_FAILED',
    )
  })

  test('are rolled at once, or with 24 hours in which both work', async () => {
    await stepUp()
    const roll = async (mode: string) => {
      const old = (await owner.post(`${base}/api-keys`, NEW)).json
      const made = await owner.post(`${base}/api-keys/${old.api_key.id}/roll`, { mode })
      later()
      return { old: old.key as string, made }
    }
    const now = await roll('now')
    expect(now.made.status).toBe(201)
    expect(now.made.json.api_key.permissions).toEqual(NEW.permissions)
    expect([await call(now.old), await call(now.made.json.key)]).toEqual(['INVALID_API_KEY', 200])
    const both = await roll('overlap')
    expect([await call(both.old), await call(both.made.json.key)]).toEqual([200, 200])
    tradepost.forward(DAY_MS)
    expect([await call(both.old), await call(both.made.json.key)]).toEqual(['API_KEY_EXPIRED', 200])
    owner = await signedIn(tradepost)
    const old = (await owner.post(`${base}/api-keys`, NEW)).json.api_key.id
    expect(refusalOf(await owner.post(`${base}/api-keys/${old}/roll`))).toBe('VALIDATION_FAILED')
  })

  test('are revoked for good; a key that opens other stores is read-only here', async () => {
    const { json } = await owner.post(`${base}/api-keys`, NEW)
    const path = `${base}/api-keys/${json.api_key.id}`
    const revoked = await owner.delete(path)
    expect(revoked.json.api_key.revoked_at).toEqual(expect.any(String))
    later()
    expect(await call(json.key)).toBe('INVALID_API_KEY')
    expect(refusalOf(await owner.delete(path))).toBe('INVALID_STATE')
    await sql`update api_key set store_ids = null, revoked_at = null where id = ${json.api_key.id}`.execute(
      tradepost.db,
    )
    expect(refusalOf(await owner.delete(path))).toBe('INVALID_STATE')
    const there = await signedIn(tradepost, 'owner', { store: tradepost.test.id })
    const missing = `/stores/${tradepost.test.id}/api-keys/${json.api_key.id}`
    expect(refusalOf(await there.delete(missing))).toBe('NOT_FOUND')
  })
})

describe('the secret of a webhook endpoint', () => {
  test('is rolled now, or so that both sign for 24 hours (decision 19)', async () => {
    const hook = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
    const created = await owner.post(`${base}/v1/webhooks`, hook)
    const { id } = created.json.webhook
    const path = `${base}/webhooks/${id}/roll-secret`
    expect(refusalOf(await owner.post(path, {}))).toBe('VALIDATION_FAILED')
    const stored = async () => {
      const { rows } = await sql<Json>`
        select prev_secret_enc is not null as has_old, prev_secret_until
          from webhook_endpoint where public_id = ${id}`.execute(tradepost.db)
      return rows[0]
    }
    const overlap = await owner.post(path, { mode: 'overlap' })
    expect(overlap.status).toBe(200)
    expect(overlap.json.secret).toMatch(/^whsec_/)
    expect(overlap.json.secret).not.toBe(created.json.secret)
    const until = Date.parse(overlap.json.old_secret_until)
    expect(Math.abs(until - tradepost.app.clock.now() - DAY_MS)).toBeLessThan(HOUR_MS)
    expect(await stored()).toEqual({ has_old: true, prev_secret_until: expect.any(String) })
    const now = await owner.post(path, { mode: 'now' })
    expect(now.json.old_secret_until).toBeNull()
    expect(await stored()).toEqual({ has_old: false, prev_secret_until: null })
    expect((await owner.get(`${base}/v1/webhooks/${id}`)).text).not.toContain(now.json.secret)
    const unknown = await owner.post(`${base}/webhooks/we_x/roll-secret`, { mode: 'now' })
    expect(refusalOf(unknown)).toBe('NOT_FOUND')
  })
})

describe('the team', () => {
  const accept = (url: string, fields: Json, browser = openBrowser(tradepost)) => {
    const token = new URL(url).searchParams.get('token')
    return browser.post('/invitations/accept', { token, ...fields })
  }

  test('grows by an invitation, whose link the answer has where no mail is sent', async () => {
    await stepUp()
    const invited = await owner.post(`${base}/invitations`, { email: 'Ada@x.org', role: 'staff' })
    expect(invited.status).toBe(201)
    expect(invited.json.invitation).toMatchObject({ email: 'ada@x.org', role: 'staff' })
    const { url } = invited.json
    const listed = await owner.get(`${base}/invitations`)
    expect(listed.json.invitations).toEqual([invited.json.invitation])
    const browser = openBrowser(tradepost)
    const token = new URL(url).searchParams.get('token')
    const found = await browser.post('/invitations/find', { token })
    expect(found.json).toEqual({
      success: true,
      store: 'Here',
      email: 'ada@x.org',
      role: 'staff',
      has_account: false,
    })
    expect(refusalOf(await accept(url, {}, browser))).toBe('VALIDATION_FAILED')
    const joined = await accept(url, { name: 'Ada', password: PASSWORD }, browser)
    expect(joined.json).toEqual({ success: true, store_id: tradepost.live.id })
    const { stores } = (await browser.get('/me')).json
    expect(stores.map(({ role, livemode }: Json) => [role, livemode])).toEqual([
      ['staff', true],
      ['staff', false],
    ])
    expect(refusalOf(await accept(url, { name: 'Eve', password: PASSWORD }))).toBe('NOT_FOUND')
    const { team } = (await owner.get(`${base}/team`)).json
    expect(team.at(-1)).toMatchObject({ email: 'ada@x.org', name: 'Ada', role: 'staff' })
  })

  test('an invitation of an address with an account needs its session, and ends after 7 days', async () => {
    const there = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const invite = async () => {
      await stepUp()
      const body = { email: there.email, role: 'viewer' }
      return (await owner.post(`${base}/invitations`, body)).json.url as string
    }
    const first = await invite()
    const second = await invite()
    expect(refusalOf(await accept(first, {}, there))).toBe('NOT_FOUND')
    expect(refusalOf(await accept(second, { name: 'Eve', password: PASSWORD }))).toBe(
      'SIGN_IN_REQUIRED',
    )
    expect((await accept(second, {}, there)).status).toBe(200)
    await owner.delete(`${base}/team/${there.id}`)
    expect((await there.get(`${base}/team`)).status).toBe(404)
  })

  test('keeps its last owner, and only owners make or change owners (decision 136)', async () => {
    await sql`delete from store_role where user_id <> ${owner.id}`.execute(tradepost.db)
    await stepUp()
    const path = (id: number) => `${base}/team/${id}`
    expect(refusalOf(await owner.patch(path(owner.id), { role: 'admin' }))).toBe('INVALID_STATE')
    expect(refusalOf(await owner.delete(path(owner.id)))).toBe('INVALID_STATE')
    const admin = await signedIn(tradepost, 'admin')
    expect(refusalOf(await admin.patch(path(owner.id), { role: 'staff' }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    expect(refusalOf(await admin.patch(path(admin.id), { role: 'owner' }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    const body = { email: 'boss@x.org', role: 'owner' }
    expect(refusalOf(await admin.post(`${base}/invitations`, body))).toBe('INSUFFICIENT_SCOPE')
    const promoted = await owner.patch(path(admin.id), { role: 'owner' })
    expect(promoted.json.member).toMatchObject({ id: admin.id, role: 'owner' })
    const answers = await Promise.all([
      owner.patch(path(admin.id), { role: 'staff' }),
      admin.patch(path(owner.id), { role: 'staff' }),
    ])
    const { rows } = await sql<{ sides: number }>`
      select count(*)::int as sides from store_role where role = 'owner'
        and store_id in (select id from store where slug = 'here')`.execute(tradepost.db)
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(rows[0]?.sides).toBe(2)
  })

  test('keeps its last owner when an older invitation is accepted, or a command gives a role (decision 336)', async () => {
    await sql`delete from store_role where user_id <> ${owner.id}`.execute(tradepost.db)
    await sql`update store_role set role = 'owner' where user_id = ${owner.id}`.execute(
      tradepost.db,
    )
    await stepUp()
    const email = 'late@x.org'
    const { url } = (await owner.post(`${base}/invitations`, { email, role: 'viewer' })).json
    const store = await selectStore(tradepost.db, tradepost.live.id)
    if (!store) throw new Error('No such store.')
    const give = (role: Role) => addUser(tradepost.app, store, { email, name: 'Late', role })
    const late = openBrowser(tradepost)
    await late.get((await give('owner')).sign_in_url.replace(ORIGIN, ''))
    expect((await owner.patch(`${base}/team/${owner.id}`, { role: 'staff' })).status).toBe(200)
    expect(refusalOf(await accept(url, {}, late))).toBe('INVALID_STATE')
    await expect(give('viewer')).rejects.toMatchObject({ code: 'INVALID_STATE' })
    const { stores } = (await late.get('/me')).json
    expect(stores.map(({ role }: Json) => role)).toEqual(['owner', 'owner'])
  })
})

describe('codes of an authenticator app', () => {
  const bytesOf = (base32: string): Buffer => {
    const bits = [...base32]
      .map((letter) =>
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
      )
      .join('')
    return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  test('are needed once switched on; each works once, and so does each recovery code', async () => {
    const user = await signedIn(tradepost)
    const begun = await user.post('/totp')
    expect(begun.json.otpauth_url).toContain(begun.json.secret)
    const secret = bytesOf(begun.json.secret)
    const code = () => codeAt(secret, stepAt(tradepost.app.clock.now()))
    expect(refusalOf(await user.post('/totp/confirm', { code: 'wrong' }))).toBe('VALIDATION_FAILED')
    const confirmed = await user.post('/totp/confirm', { code: code() })
    expect(confirmed.json.recovery_codes).toHaveLength(10)
    tradepost.forward(MINUTE_MS)
    const signIn = (more: Json) =>
      openBrowser(tradepost)
        .post('/sign-in', { email: user.email, password: PASSWORD, ...more })
        .then(refusalOf)
    expect(await signIn({})).toBe('CODE_REQUIRED')
    const current = code()
    expect(await signIn({ code: current })).toBe(200)
    expect(await signIn({ code: current })).toBe('SIGN_IN_FAILED')
    const [recovery] = confirmed.json.recovery_codes
    expect(await signIn({ code: recovery })).toBe(200)
    expect(await signIn({ code: recovery })).toBe('SIGN_IN_FAILED')
    const { rows } = await sql<{ text: string }>`
      select u::text as text from dashboard_user u where id = ${user.id}`.execute(tradepost.db)
    expect(rows[0]?.text).not.toContain(secret.toString('hex'))
    expect((await user.delete('/totp')).status).toBe(200)
    expect(await signIn({})).toBe(200)
  })
})

describe('a lost password', () => {
  test('is replaced by a mailed link; the answer is the same for every address', async () => {
    const user = await signedIn(tradepost)
    const ask = (email: string) => openBrowser(tradepost).post('/password-resets', { email })
    expect((await ask('nobody@x.org')).text).toBe((await ask(user.email)).text)
    let mail: Json
    for (let n = 0; n < 100 && !mail; n++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const { rows } = await sql<Json>`
        select store_id, message, content_enc from mail where recipient = ${user.email}`.execute(
        tradepost.db,
      )
      mail = rows[0]
    }
    const sealContext = { column: 'mail.content', storeId: mail.store_id, row: mail.message }
    const { text } = JSON.parse(tradepost.app.vault.open(sealContext, mail.content_enc).toString())
    const [, token] = /token=([\w-]+)/.exec(text) ?? []
    const browser = openBrowser(tradepost)
    const confirm = (password: string) =>
      browser.post('/password-resets/confirm', { token, password }).then(refusalOf)
    expect(await confirm('short')).toBe('VALIDATION_FAILED')
    expect(await confirm('a whole new one')).toBe(200)
    expect(await confirm('a whole new one')).toBe('NOT_FOUND')
    expect((await browser.get('/me')).json.user.id).toBe(user.id)
    expect(refusalOf(await user.get('/me'))).toBe('SIGN_IN_REQUIRED')
  })

  test('is asked for without waiting for the mail, so its time says nothing about the address', async () => {
    const user = await signedIn(tradepost)
    for (const n of [1, 2, 3]) {
      const ask = () => openBrowser(tradepost).post('/password-resets', { email: user.email })
      const { answer } = await tradepost.failing(n, ask)
      expect([answer.status, answer.json]).toEqual([200, { success: true }])
    }
  })
})
