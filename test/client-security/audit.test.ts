import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import {
  type CallInput,
  callEndpoint,
  createApp,
  createFile,
  createLicenseKey,
  createString,
  preparedCalls,
} from './prepared-calls.ts'
import { createProgram, newMachine } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const listEvents = async (query = '', caller = seller): Promise<Json> =>
  expectSuccess(caller.get(`/audit-events?limit=100${query}`))
const getLastId = async (): Promise<number> => (await listEvents()).audit_events[0]?.id ?? 0
/** Returns the audit events after the one with this id. */
const listEventsAfter = async (id: number): Promise<Json[]> =>
  (await listEvents()).audit_events.filter((item: Json) => item.id > id)

/** Activates a new license on one device. */
async function activateLicense() {
  const program = await createProgram(tradepost, seller)
  const { id, key } = await createLicenseKey(seller, { app_id: program.appId })
  const { fingerprint } = newMachine()
  const { device } = await program.start({ license_key: key, device: { fingerprint } })
  return { id, device_id: device.id, fingerprint }
}

const BYTES = { 'content-type': 'application/octet-stream' }

/** The changing calls that the prepared calls do not contain. */
const SPECIAL_CALLS: Record<string, () => Promise<() => Promise<unknown>>> = {
  'license_keys.free_device': async () => {
    const { id, device_id } = await activateLicense()
    return () => expectSuccess(seller.delete(`/keys/${id}/devices/${device_id}`))
  },
  'license_keys.end_sessions': async () => {
    const { id } = await activateLicense()
    return () => expectSuccess(seller.delete(`/keys/${id}/sessions`))
  },
  'license_keys.issue_file': async () => {
    const { id, fingerprint } = await activateLicense()
    return () => expectSuccess(seller.post(`/keys/${id}/license-files`, { fingerprint }))
  },
  'license_policies.set': async () => {
    const { variantId } = await product(tradepost, { type: 'license' })
    return () => expectSuccess(seller.put(`/license-policies/${variantId}`, { level: 2 }))
  },
  'serverside_files.create': async () => () => createFile(seller),
  'serverside_files.replace_content': async () => {
    const { id } = await createFile(seller)
    const path = `/serverside-files/${id}/content`
    return () => expectSuccess(seller.call('PUT', path, { raw: 'other', headers: BYTES }))
  },
}

async function prepareCall(
  endpoint: (typeof securityEndpoints)[number],
): Promise<() => Promise<unknown>> {
  const specialCall = SPECIAL_CALLS[endpoint.id]
  if (specialCall) return specialCall()
  const input: CallInput = (await preparedCalls[endpoint.id]?.(seller)) ?? {}
  return () => expectSuccess(callEndpoint(seller, endpoint, input))
}

describe('a change', () => {
  const changes = securityEndpoints
    .filter(({ method }) => method !== 'GET')
    .map((endpoint) => [endpoint.id, endpoint] as const)

  test.each(changes)('by %s is recorded with its actor and origin', async (_, endpoint) => {
    const sendCall = await prepareCall(endpoint)
    const before = await getLastId()
    await sendCall()
    const events = await listEventsAfter(before)
    expect(events.length).toBeGreaterThan(0)
    for (const item of events) {
      expect(item).toMatchObject({
        object: 'audit_event',
        actor_key_id: expect.any(Number),
        ip: '127.0.0.1',
        record_id: expect.any(Number),
      })
      expect(item.action).toMatch(/^[a-z_]+\.[a-z_]+$/)
    }
  })

  test('is recorded with the hash of the record before and after it, or null if there was no record', async () => {
    const { id } = await createString(seller)
    const path = `/serverside-strings/${id}`
    await expectSuccess(seller.patch(path, { status: 'inactive' }))
    await expectSuccess(seller.delete(path))
    const { audit_events } = await listEvents(`&record_type=serverside_string&record_id=${id}`)
    const [deletion, change, creation] = audit_events
    expect([creation.before_hash, deletion.after_hash]).toEqual([null, null])
    expect(creation.after_hash).toBe(change.before_hash)
    expect(change.after_hash).toBe(deletion.before_hash)
    expect(new Set([creation.after_hash, change.after_hash]).size).toBe(2)
    for (const hash of [creation.after_hash, change.after_hash])
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('that was refused is not recorded', async () => {
    const { id } = await createString(seller)
    const before = await getLastId()
    const oldVersion = { headers: { 'if-match': '"9"' } }
    expect((await seller.delete(`/serverside-strings/${id}`, oldVersion)).status).toBe(412)
    expect(await listEventsAfter(before)).toEqual([])
  })

  test('of a list of settings is recorded once for each setting that differs', async () => {
    const { id: app_id } = await createApp(seller)
    const put = (settings: Json[]) =>
      expectSuccess(seller.put('/remote-settings', { app_id, settings }))
    const setting = (key: string, value: number) => ({ key, type: 'integer', value })
    await put([setting('unchanged', 1), setting('deleted', 1), setting('changed', 1)])
    const before = await getLastId()
    await put([setting('unchanged', 1), setting('changed', 2), setting('created', 1)])
    const hashes = (await listEventsAfter(before)).map((item) => [
      item.before_hash !== null,
      item.after_hash !== null,
    ])
    expect(hashes.map(String).sort()).toEqual(['false,true', 'true,false', 'true,true'])
  })
})

describe('the audit trail', () => {
  test('is filtered by record, action and time, and read page by page', async () => {
    const { id } = await createString(seller)
    for (const status of ['inactive', 'active']) {
      await expectSuccess(seller.patch(`/serverside-strings/${id}`, { status }))
    }
    const filter = `&record_type=serverside_string&record_id=${id}`
    const listActions = async (query: string) =>
      (await listEvents(`${filter}${query}`)).audit_events.map((item: Json) => item.action)
    expect(await listActions('')).toEqual([
      'serverside_string.switch',
      'serverside_string.switch',
      'serverside_string.create',
    ])
    expect(await listActions('&action=serverside_string.create')).toHaveLength(1)
    const { created_at } = (await listEvents(filter)).audit_events[0]
    expect(await listActions(`&created_from=${created_at}`)).not.toHaveLength(0)
    expect(await listActions('&created_to=2020-01-01T00:00:00.000Z')).toEqual([])
    const getPage = async (cursor = '') =>
      expectSuccess(seller.get(`/audit-events?limit=2${filter}${cursor}`))
    const firstPage = await getPage()
    const nextPage = await getPage(`&cursor=${firstPage.next_cursor}`)
    expect([firstPage, nextPage].map((item) => item.audit_events.length)).toEqual([2, 1])
    expect(nextPage.audit_events[0].action).toBe('serverside_string.create')
    expect(nextPage.next_cursor).toBeNull()
  })

  test('is filtered from a time on, and before a time', async () => {
    const { id } = await createString(seller)
    const filter = `&record_type=serverside_string&record_id=${id}`
    const [{ created_at }] = (await listEvents(filter)).audit_events
    expect((await listEvents(`${filter}&created_to=${created_at}`)).audit_events).toEqual([])
    expect((await listEvents(`${filter}&created_from=${created_at}`)).audit_events).toHaveLength(1)
  })

  test('contains no events of another store', async () => {
    const otherSeller = await createSeller(tradepost, tradepost.other.id)
    const { id } = await createString(otherSeller)
    const ownEvents = (await listEvents('&record_type=serverside_string')).audit_events
    expect(ownEvents.map((item: Json) => item.record_id)).not.toContain(id)
    const otherEvents = (await listEvents('', otherSeller)).audit_events
    expect(otherEvents.map((item: Json) => item.record_id)).toContain(id)
  })
})
