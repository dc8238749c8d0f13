import { expect, type TestContext, test } from 'vitest'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import type { Json } from '../harness.ts'
import { sharedRaceStore } from './market-for-all.ts'

const AT_ONCE = 20

const raceStore = sharedRaceStore({ beside: 1 })

/** A seller of a new store at the Client Security API, reached through two processes. */
async function openSeller(context: TestContext) {
  const tradepost = await raceStore.openStoreFixture(context)
  const store = await selectStoreById(tradepost.app.db, tradepost.storeId)
  if (!store) throw new Error('No such store.')
  const { account_id, livemode } = store
  const { key } = await createKey(tradepost.app, {
    account_id,
    livemode,
    kind: 'security',
    store_ids: [tradepost.storeId],
    rate_limit: 0,
  })
  const origins = tradepost.targets.map((target) => target.origin)
  let at = 0
  async function call(method: string, path: string, body?: Json, headers = {}): Promise<Json> {
    const origin = origins[at++ % origins.length]
    const response = await fetch(`${origin}/security/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    // Too busy to say, and nothing happened: the caller asks again.
    if (response.status === 503) return call(method, path, body, headers)
    return { status: response.status, ...((await response.json()) as Json) }
  }
  return call
}

const atOnce = async (work: (n: number) => Promise<Json>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)))).map((item) => item.status)
const count = (statuses: number[], status: number) =>
  statuses.filter((item) => item === status).length

test('of many calls that change one version of a string or a setting, one succeeds', async (context) => {
  const call = await openSeller(context)
  const text = { name: 'text', value: 'v' }
  const { serverside_string } = await call('POST', '/serverside-strings', text)
  const setting = { key: 'k', type: 'integer', value: 0 }
  const { remote_setting } = await call('POST', '/remote-settings', setting)
  for (const version of [1, 2, 3, 4, 5]) {
    const known = { 'if-match': `"${version}"` }
    const strings = await atOnce((n) => {
      const path = `/serverside-strings/${serverside_string.id}`
      return call('PUT', path, { name: 'text', value: `${n}` }, known)
    })
    expect([count(strings, 200), count(strings, 412)]).toEqual([1, AT_ONCE - 1])
    const settings = await atOnce((value) =>
      call('PATCH', `/remote-settings/${remote_setting.id}`, { value }, known),
    )
    expect([count(settings, 200), count(settings, 412)]).toEqual([1, AT_ONCE - 1])
  }
})

test('a key that many extend at once lasts as long as all of them said', async (context) => {
  const call = await openSeller(context)
  const [{ id, expires_at }] = (await call('POST', '/keys', { duration_seconds: 3_600 })).keys
  const statuses = await atOnce(() => call('POST', `/keys/${id}/extend`, { seconds: 60 }))
  expect(count(statuses, 200)).toBe(AT_ONCE)
  const { key } = await call('GET', `/keys/${id}`)
  expect(Date.parse(key.expires_at) - Date.parse(expires_at)).toBe(AT_ONCE * 60_000)
})

test('a key whose devices may be freed once is freed once', async (context) => {
  const call = await openSeller(context)
  const terms = { device_resets_left: 1, reset_cooldown_seconds: 0 }
  const [{ id }] = (await call('POST', '/keys', terms)).keys
  const statuses = await atOnce(() => call('POST', `/keys/${id}/reset-devices`, {}))
  expect([count(statuses, 200), count(statuses, 409)]).toEqual([1, AT_ONCE - 1])
  expect((await call('GET', `/keys/${id}`)).key.device_resets_left).toBe(0)
})

test('limits of an app that many change at once are all kept', async (context) => {
  const call = await openSeller(context)
  const { app } = await call('POST', '/apps', { name: 'Rush' })
  const patches = [
    { rate_limits: { validations: 7 } },
    { rate_limits: { session_calls: 8 } },
    { rate_limits: { session_starts: 9 } },
    { rate_limits: { unknown_keys: 10 } },
  ]
  const statuses = await atOnce((n) =>
    call('PATCH', `/apps/${app.id}`, patches[n % patches.length]),
  )
  expect(count(statuses, 200)).toBe(AT_ONCE)
  expect((await call('GET', `/apps/${app.id}`)).app.rate_limits).toEqual({
    validations: 7,
    session_calls: 8,
    session_starts: 9,
    unknown_keys: 10,
    unknown_tokens: 120,
  })
})

test('the last place among the settings of an app is taken once', async (context) => {
  const call = await openSeller(context)
  const MAX = 1_000
  const of = (n: number) => ({ key: `k${n}`, type: 'integer', value: n })
  const settings = Array.from({ length: MAX - 1 }, (_, n) => of(n))
  expect((await call('PUT', '/remote-settings', { settings })).status).toBe(200)
  const statuses = await atOnce((n) => call('POST', '/remote-settings', of(MAX + n)))
  expect([count(statuses, 201), count(statuses, 422)]).toEqual([1, AT_ONCE - 1])
  expect((await call('GET', '/remote-settings?limit=1')).pagination.total).toBe(MAX)
})

test('a file that many calls delete at once is gone, and no call fails', async (context) => {
  const call = await openSeller(context)
  const headers = { 'content-type': 'application/octet-stream' }
  for (const name of ['a', 'b', 'c']) {
    const { serverside_file } = await call('POST', `/serverside-files?name=${name}`, 'x', headers)
    const path = `/serverside-files/${serverside_file.id}`
    const statuses = await atOnce(() => call('DELETE', path))
    expect(count(statuses, 200)).toBeGreaterThan(0)
    expect(count(statuses, 200) + count(statuses, 404)).toBe(AT_ONCE)
    expect((await call('GET', path)).status).toBe(404)
  }
})
