import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { type Ask, aFile, aKey, anApp, aString, askOf, walked, walks } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const list = async (query = '', who = seller): Promise<Json> =>
  made(who.get(`/audit-events?limit=100${query}`))
const lastId = async (): Promise<number> => (await list()).audit_events[0]?.id ?? 0
/** The audit events recorded since. */
const since = async (id: number): Promise<Json[]> =>
  (await list()).audit_events.filter((item: Json) => item.id > id)

/** An activated license on one device. */
async function used() {
  const program = await programOf(tradepost, seller)
  const { id, key } = await aKey(seller, { app_id: program.appId })
  const { fingerprint } = machine()
  const { device } = await program.start({ license_key: key, device: { fingerprint } })
  return { id, device_id: device.id, fingerprint }
}

const BYTES = { 'content-type': 'application/octet-stream' }

/** Calls that the walks do not make. */
const OWN: Record<string, () => Promise<() => Promise<unknown>>> = {
  'license_keys.free_device': async () => {
    const { id, device_id } = await used()
    return () => made(seller.delete(`/keys/${id}/devices/${device_id}`))
  },
  'license_keys.issue_file': async () => {
    const { id, fingerprint } = await used()
    return () => made(seller.post(`/keys/${id}/license-files`, { fingerprint }))
  },
  'license_policies.set': async () => {
    const { variantId } = await product(tradepost, { type: 'license' })
    return () => made(seller.put(`/license-policies/${variantId}`, { level: 2 }))
  },
  'serverside_files.create': async () => () => aFile(seller),
  'serverside_files.replace_content': async () => {
    const { id } = await aFile(seller)
    const path = `/serverside-files/${id}/content`
    return () => made(seller.call('PUT', path, { raw: 'other', headers: BYTES }))
  },
}

async function workOf(e: (typeof walked)[number]): Promise<() => Promise<unknown>> {
  const own = OWN[e.id]
  if (own) return own()
  const ask: Ask = (await walks[e.id]?.(seller)) ?? {}
  return () => made(askOf(seller, e, ask))
}

describe('every change', () => {
  const changes = walked.filter((e) => e.method !== 'GET').map((e) => [e.id, e] as const)

  test.each(changes)('%s is recorded with its actor and origin', async (_, e) => {
    const work = await workOf(e)
    const before = await lastId()
    await work()
    const written = await since(before)
    expect(written.length).toBeGreaterThan(0)
    for (const item of written) {
      expect(item).toMatchObject({
        object: 'audit_event',
        actor_key_id: expect.any(Number),
        ip: '127.0.0.1',
        record_id: expect.any(Number),
      })
      expect(item.action).toMatch(/^[a-z_]+\.[a-z_]+$/)
    }
  })

  test('has a hash of the record before and after, and null for a created or deleted one', async () => {
    const { id } = await aString(seller)
    const path = `/serverside-strings/${id}`
    await made(seller.patch(path, { status: 'inactive' }))
    await made(seller.delete(path))
    const { audit_events } = await list(`&record_type=serverside_string&record_id=${id}`)
    const [deleted, switched, created] = audit_events
    expect([created.before_hash, deleted.after_hash]).toEqual([null, null])
    expect(created.after_hash).toBe(switched.before_hash)
    expect(switched.after_hash).toBe(deleted.before_hash)
    expect(new Set([created.after_hash, switched.after_hash]).size).toBe(2)
    for (const hash of [created.after_hash, switched.after_hash])
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('that was refused is not recorded', async () => {
    const { id } = await aString(seller)
    const before = await lastId()
    const stale = { headers: { 'if-match': '"9"' } }
    expect((await seller.delete(`/serverside-strings/${id}`, stale)).status).toBe(412)
    expect(await since(before)).toEqual([])
  })

  test('of many settings is recorded for each changed one, and for no other', async () => {
    const { id: app_id } = await anApp(seller)
    const put = (settings: Json[]) => made(seller.put('/remote-settings', { app_id, settings }))
    const setting = (key: string, value: number) => ({ key, type: 'integer', value })
    await put([setting('stays', 1), setting('goes', 1), setting('turns', 1)])
    const before = await lastId()
    await put([setting('stays', 1), setting('turns', 2), setting('comes', 1)])
    const hashes = (await since(before)).map((item) => [
      item.before_hash !== null,
      item.after_hash !== null,
    ])
    expect(hashes.map(String).sort()).toEqual(['false,true', 'true,false', 'true,true'])
  })
})

describe('the records of the audit trail', () => {
  test('is filtered by record, action and time, page by page', async () => {
    const { id } = await aString(seller)
    for (const status of ['inactive', 'active']) {
      await made(seller.patch(`/serverside-strings/${id}`, { status }))
    }
    const filter = `&record_type=serverside_string&record_id=${id}`
    const actions = async (more: string) =>
      (await list(`${filter}${more}`)).audit_events.map((item: Json) => item.action)
    expect(await actions('')).toEqual([
      'serverside_string.switch',
      'serverside_string.switch',
      'serverside_string.create',
    ])
    expect(await actions('&action=serverside_string.create')).toHaveLength(1)
    const { created_at } = (await list(filter)).audit_events[0]
    expect(await actions(`&created_from=${created_at}`)).not.toHaveLength(0)
    expect(await actions('&created_to=2020-01-01T00:00:00.000Z')).toEqual([])
    const page = async (cursor = '') => made(seller.get(`/audit-events?limit=2${filter}${cursor}`))
    const first = await page()
    const rest = await page(`&cursor=${first.next_cursor}`)
    expect([first, rest].map((item) => item.audit_events.length)).toEqual([2, 1])
    expect(rest.audit_events[0].action).toBe('serverside_string.create')
    expect(rest.next_cursor).toBeNull()
  })

  test('before a moment does not include that moment', async () => {
    const { id } = await aString(seller)
    const filter = `&record_type=serverside_string&record_id=${id}`
    const [{ created_at }] = (await list(filter)).audit_events
    expect((await list(`${filter}&created_to=${created_at}`)).audit_events).toEqual([])
    expect((await list(`${filter}&created_from=${created_at}`)).audit_events).toHaveLength(1)
  })

  test('is the store’s own', async () => {
    const next = await sellerAt(tradepost, tradepost.other.id)
    const { id } = await aString(next)
    const mine = (await list('&record_type=serverside_string')).audit_events
    expect(mine.map((item: Json) => item.record_id)).not.toContain(id)
    const theirs = (await list('', next)).audit_events
    expect(theirs.map((item: Json) => item.record_id)).toContain(id)
  })
})
