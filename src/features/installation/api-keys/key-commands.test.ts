import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { HOUR_MS, iso, SECOND_MS } from '../../../kernel/time.ts'
import { keyCommands } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const run = async (name: string, input: Json): Promise<Json> =>
  keyCommands.find((item) => item.name === name)?.run(tradepost.app, input)
const createKey = (input: Json = {}) =>
  run('keys create', { store: [tradepost.live.id], permissions: 'all', ...input })
const callAccount = async (api_key: string, store = tradepost.live) => {
  const { status, json } = await tradepost.get('/account', { as: { ...store, api_key } })
  return json.code ?? status
}

describe('a new key', () => {
  test('has each given permission once, in the given order, and is valid only for its store', async () => {
    const created = await createKey({
      permissions: 'orders:read, account:read,orders:read',
      name: 'Till',
    })
    expect(created).toEqual({
      id: expect.any(Number),
      key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{40}$/),
      permissions: ['orders:read', 'account:read'],
      expires_at: null,
      allowed_ips: [],
      rate_limit: 300,
    })
    expect(await callAccount(created.key)).toBe(200)
    expect(await callAccount(created.key, tradepost.other)).toBe('STORE_NOT_ALLOWED')
    expect((await createKey()).permissions).toEqual([...PERMISSIONS])
  })

  test('may have an expiry, a list of addresses and a rate limit', async () => {
    const expiring = await createKey({ expiresAt: iso(tradepost.app.clock.now() + HOUR_MS) })
    expect(await callAccount(expiring.key)).toBe(200)
    tradepost.forward(HOUR_MS)
    expect(await callAccount(expiring.key)).toBe('API_KEY_EXPIRED')
    expect(await callAccount((await createKey({ allowedIps: '10.0.0.0/8' })).key)).toBe(
      'IP_NOT_ALLOWED',
    )
    expect(await callAccount((await createKey({ allowedIps: '10.0.0.0/8, 127.0.0.1' })).key)).toBe(
      200,
    )
    const { key } = await createKey({ rateLimit: '2' })
    expect([await callAccount(key), await callAccount(key), await callAccount(key)]).toEqual([
      200,
      200,
      'RATE_LIMITED',
    ])
    tradepost.forward(60 * SECOND_MS)
    expect(await callAccount(key)).toBe(200)
  })

  test.each([
    ['an invalid permission', { permissions: 'orders:read,orders:admin' }, 'orders:admin'],
    ['an invalid address range', { allowedIps: '10.0.0.0/99' }, '10.0.0.0/99'],
    ['an invalid expiry', { expiresAt: 'tomorrow' }, '--expires-at'],
    ['an invalid rate limit', { rateLimit: '-1' }, '--rate-limit'],
    ['an unknown kind', { kind: 'admin' }, '--kind'],
    [
      'a permission of the other kind',
      { kind: 'security', permissions: 'orders:read' },
      'orders:read',
    ],
    ['an unknown store', { store: ['zzzzzzzzzzzz'] }, 'zzzzzzzzzzzz'],
    ['no store', { store: [] }, '--store'],
  ])('with %s is refused', async (_, input, named) => {
    await expect(createKey(input)).rejects.toThrow(named)
  })

  test('is for stores of one side', async () => {
    await expect(createKey({ store: [tradepost.live.id, tradepost.test.id] })).rejects.toThrow(
      'all live or all test',
    )
    const { key } = await createKey({ store: [tradepost.live.id, tradepost.other.id] })
    expect([await callAccount(key), await callAccount(key, tradepost.other)]).toEqual([200, 200])
  })
})

test('a revoked key is refused within 5 s, and a second revocation keeps the time of the first', async () => {
  const { id, key } = await createKey()
  expect(await callAccount(key)).toBe(200)
  const { revoked_at } = await run('keys revoke', { id: String(id) })
  tradepost.forward(5 * SECOND_MS)
  expect(await callAccount(key)).toBe('INVALID_API_KEY')
  expect(await run('keys revoke', { id: String(id) })).toEqual({ id, revoked_at })
  await expect(run('keys revoke', { id: '999999' })).rejects.toThrow('999999')
  await expect(run('keys revoke', { id: 'x' })).rejects.toThrow('x')
})

test('keys are listed with their permissions, and without their text', async () => {
  const { id, key } = await createKey({ name: 'Listed' })
  const keys = await run('keys list', { store: tradepost.live.id })
  const listed = keys.find((item: Json) => item.id === id)
  expect(listed).toMatchObject({ name: 'Listed', last4: key.slice(-4), all_stores: false })
  const text = JSON.stringify(keys)
  expect(text).not.toContain(key)
  expect(text).not.toContain('hash')
  const keysOfOther = await run('keys list', { store: tradepost.other.id })
  expect(keysOfOther.some((item: Json) => item.id === id)).toBe(false)
})

test('the database does not contain a key in plain text', async () => {
  const { key } = await createKey()
  const rows = await tradepost.db.selectFrom('api_key').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  const bytes = rows.map((row) => `${JSON.stringify(row)}${row.hash.toString('latin1')}`).join()
  expect(bytes).not.toContain(key)
  // Without its prefix and its last characters, which are stored in other columns.
  expect(bytes).not.toContain(key.slice('sk_live_'.length, -6))
})
