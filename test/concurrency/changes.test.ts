import { expect, type TestContext, test } from 'vitest'
import type { Json } from '../harness.ts'
import { createSecurityKey } from './security-key.ts'
import { sharedDatabase } from './shared-database.ts'

const CALLS = 20

const database = sharedDatabase({ furtherProcesses: 1 })

/** Opens a new store served by two processes, and returns a function that calls the Client Security API alternately at both. */
async function openSecurityApi(context: TestContext) {
  const tradepost = await database.openStore(context)
  const key = await createSecurityKey(tradepost)
  const origins = tradepost.targets.map((target) => target.origin)
  let callCount = 0
  async function call(method: string, path: string, body?: Json, headers = {}): Promise<Json> {
    const origin = origins[callCount++ % origins.length]
    const response = await fetch(`${origin}/security/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    // A 503 changes nothing, so the call is repeated.
    if (response.status === 503) return call(method, path, body, headers)
    return { status: response.status, ...((await response.json()) as Json) }
  }
  return call
}

const runConcurrently = async (work: (n: number) => Promise<Json>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: CALLS }, (_, n) => work(n)))).map((item) => item.status)
const countStatus = (statuses: number[], status: number) =>
  statuses.filter((item) => item === status).length

test('one of 20 concurrent changes of the same version of a string or a setting succeeds', async (context) => {
  const call = await openSecurityApi(context)
  const newString = { name: 'text', value: 'v' }
  const { serverside_string } = await call('POST', '/serverside-strings', newString)
  const newSetting = { key: 'k', type: 'integer', value: 0 }
  const { remote_setting } = await call('POST', '/remote-settings', newSetting)
  for (const version of [1, 2, 3, 4, 5]) {
    const versionHeader = { 'if-match': `"${version}"` }
    const strings = await runConcurrently((n) => {
      const path = `/serverside-strings/${serverside_string.id}`
      return call('PUT', path, { name: 'text', value: `${n}` }, versionHeader)
    })
    expect([countStatus(strings, 200), countStatus(strings, 412)]).toEqual([1, CALLS - 1])
    const settings = await runConcurrently((value) =>
      call('PATCH', `/remote-settings/${remote_setting.id}`, { value }, versionHeader),
    )
    expect([countStatus(settings, 200), countStatus(settings, 412)]).toEqual([1, CALLS - 1])
  }
})

test('20 concurrent extensions of a license key add up', async (context) => {
  const call = await openSecurityApi(context)
  const [{ id, expires_at }] = (await call('POST', '/keys', { duration_seconds: 3_600 })).keys
  const statuses = await runConcurrently(() => call('POST', `/keys/${id}/extend`, { seconds: 60 }))
  expect(countStatus(statuses, 200)).toBe(CALLS)
  const { key } = await call('GET', `/keys/${id}`)
  expect(Date.parse(key.expires_at) - Date.parse(expires_at)).toBe(CALLS * 60_000)
})

test('a license key with one device reset is reset once by 20 concurrent calls', async (context) => {
  const call = await openSecurityApi(context)
  const terms = { device_resets_left: 1, reset_cooldown_seconds: 0 }
  const [{ id }] = (await call('POST', '/keys', terms)).keys
  const statuses = await runConcurrently(() => call('POST', `/keys/${id}/reset-devices`, {}))
  expect([countStatus(statuses, 200), countStatus(statuses, 409)]).toEqual([1, CALLS - 1])
  expect((await call('GET', `/keys/${id}`)).key.device_resets_left).toBe(0)
})

test('concurrent changes of different limits of an app are all stored', async (context) => {
  const call = await openSecurityApi(context)
  const { app } = await call('POST', '/apps', { name: 'Rush' })
  const patches = [
    { rate_limits: { validations: 7 } },
    { rate_limits: { session_calls: 8 } },
    { rate_limits: { session_starts: 9 } },
    { rate_limits: { unknown_keys: 10 } },
  ]
  const statuses = await runConcurrently((n) =>
    call('PATCH', `/apps/${app.id}`, patches[n % patches.length]),
  )
  expect(countStatus(statuses, 200)).toBe(CALLS)
  expect((await call('GET', `/apps/${app.id}`)).app.rate_limits).toEqual({
    validations: 7,
    session_calls: 8,
    session_starts: 9,
    unknown_keys: 10,
    unknown_tokens: 120,
  })
})

test('one of 20 concurrent calls creates the last allowed setting', async (context) => {
  const call = await openSecurityApi(context)
  const SETTINGS_MAX = 1_000
  const newSetting = (n: number) => ({ key: `k${n}`, type: 'integer', value: n })
  const settings = Array.from({ length: SETTINGS_MAX - 1 }, (_, n) => newSetting(n))
  expect((await call('PUT', '/remote-settings', { settings })).status).toBe(200)
  const statuses = await runConcurrently((n) =>
    call('POST', '/remote-settings', newSetting(SETTINGS_MAX + n)),
  )
  expect([countStatus(statuses, 201), countStatus(statuses, 422)]).toEqual([1, CALLS - 1])
  expect((await call('GET', '/remote-settings?limit=1')).pagination.total).toBe(SETTINGS_MAX)
})

test('a file that 20 concurrent calls delete is deleted, and each call gets 200 or 404', async (context) => {
  const call = await openSecurityApi(context)
  const headers = { 'content-type': 'application/octet-stream' }
  for (const name of ['a', 'b', 'c']) {
    const { serverside_file } = await call('POST', `/serverside-files?name=${name}`, 'x', headers)
    const path = `/serverside-files/${serverside_file.id}`
    const statuses = await runConcurrently(() => call('DELETE', path))
    expect(countStatus(statuses, 200)).toBeGreaterThan(0)
    expect(countStatus(statuses, 200) + countStatus(statuses, 404)).toBe(CALLS)
    expect((await call('GET', path)).status).toBe(404)
  }
})
