import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'

// Below /dashboard/api, values of server-side strings and remote settings are shown on request only (decision 174).

const SECRET = 'wss://game.example.com/hidden'
const FORMER_SECRET = 'wss://game.example.com/former'
const MASK = '••••'

let tradepost: Tradepost
let seller: Seller
let viewer: SignedIn
let staff: SignedIn
let owner: SignedIn
let base: string
let paths: string[]

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  viewer = await signedIn(tradepost, 'viewer')
  staff = await signedIn(tradepost, 'staff')
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
  const content = { name: 'address', value: FORMER_SECRET }
  const string = (await expectSuccess(seller.post('/serverside-strings', content)))
    .serverside_string
  const stringPath = `/serverside-strings/${string.id}`
  await expectSuccess(seller.put(stringPath, { ...content, value: SECRET }))
  const setting = { key: 'server', type: 'string', value: FORMER_SECRET, default_value: SECRET }
  const { remote_setting } = await expectSuccess(seller.post('/remote-settings', setting))
  const settingPath = `/remote-settings/${remote_setting.id}`
  await expectSuccess(seller.patch(settingPath, { value: SECRET }))
  paths = [
    `/security/v1${stringPath}`,
    '/security/v1/serverside-strings',
    `/security/v1${settingPath}`,
    '/security/v1/remote-settings',
    `/security/v1${settingPath}/versions`,
    `/strings/${string.id}/versions`,
  ]
})
afterAll(() => tradepost.close())

const codeOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status
const hasSecret = ({ text }: { text: string }) => text.includes('game.example.com')
/** The list of strings has no values. */
const withValues = () => paths.filter((path) => !path.endsWith('/serverside-strings'))

describe('values', () => {
  test('are masked in records, lists and versions for every role, and no read of them is audited', async () => {
    const before = await lastAuditId(tradepost)
    for (const user of [viewer, staff, owner])
      for (const path of paths) {
        const answer = await user.get(base + path)
        expect([path, answer.status, hasSecret(answer)]).toEqual([path, 200, false])
      }
    const string = (await owner.get(base + paths[0])).json.serverside_string
    expect(string).toMatchObject({ name: 'address', value: MASK, value_bytes: SECRET.length })
    const setting = (await owner.get(base + paths[2])).json.remote_setting
    expect(setting).toMatchObject({ key: 'server', value: MASK, default_value: MASK })
    expect(await auditEventsSince(tradepost, before)).toEqual([])
  })

  test('are shown with reveal=true to users who may write, and each read is audited', async () => {
    for (const path of withValues()) {
      const before = await lastAuditId(tradepost)
      const answer = await owner.get(`${base}${path}?reveal=true`)
      expect([path, hasSecret(answer)]).toEqual([path, true])
      const events = await auditEventsSince(tradepost, before)
      expect(events.map(({ actor_id }) => actor_id)).toEqual([String(owner.id)])
      expect(JSON.stringify(events)).not.toContain('game.example.com')
    }
  })

  test('are refused with reveal=true to users who may not write', async () => {
    for (const user of [viewer, staff])
      for (const path of withValues())
        expect(codeOf(await user.get(`${base}${path}?reveal=true`))).toBe('INSUFFICIENT_SCOPE')
  })

  test('are masked in the answer to a change, and stored as they were sent', async () => {
    const body = { name: 'other', value: SECRET }
    const created = await owner.post(`${base}/security/v1/serverside-strings`, body)
    expect([created.status, hasSecret(created)]).toEqual([201, false])
    const { id } = created.json.serverside_string
    const { serverside_string } = await expectSuccess(seller.get(`/serverside-strings/${id}`))
    expect(serverside_string.value).toBe(SECRET)
    const rolledBack = await owner.post(`${base}${paths[2]}/rollback`, { version: 1 })
    expect([rolledBack.status, hasSecret(rolledBack)]).toEqual([200, false])
  })

  test('are shown to API keys as before, which know no parameter for it', async () => {
    for (const path of withValues().filter((item) => item.startsWith('/security/v1'))) {
      const answer = await seller.get(path.slice('/security/v1'.length))
      expect([path, hasSecret(answer)]).toEqual([path, true])
    }
  })

  test('stand in no trail or log that a viewer reads', async () => {
    await owner.post(`${base}/security/v1/serverside-strings`, { name: 'third', value: SECRET })
    for (const path of [
      '/security/v1/audit-events',
      '/v1/account/calls',
      '/v1/account/audit-events',
    ]) {
      const answer = await viewer.get(base + path)
      expect([path, answer.status, hasSecret(answer)]).toEqual([path, 200, false])
    }
  })
})
