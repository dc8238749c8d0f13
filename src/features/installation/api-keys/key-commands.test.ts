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
const create = (input: Json = {}) =>
  run('keys create', { store: [tradepost.live.id], permissions: 'all', ...input })
const call = async (api_key: string, store = tradepost.live) => {
  const { status, json } = await tradepost.get('/account', { as: { ...store, api_key } })
  return json.code ?? status
}

describe('a new key', () => {
  test('opens its store with the given name, currency and plan', async () => {
    const made = await create({
      permissions: 'orders:read, account:read,orders:read',
      name: 'Till',
    })
    expect(made).toEqual({
      id: expect.any(Number),
      key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{40}$/),
      permissions: ['orders:read', 'account:read'],
      expires_at: null,
      allowed_ips: [],
      rate_limit: 300,
    })
    expect(await call(made.key)).toBe(200)
    expect(await call(made.key, tradepost.other)).toBe('STORE_NOT_ALLOWED')
    expect((await create()).permissions).toEqual([...PERMISSIONS])
  })

  test('may expire, may be held to addresses, and may have a limit of its own', async () => {
    const soon = await create({ expiresAt: iso(tradepost.app.clock.now() + HOUR_MS) })
    expect(await call(soon.key)).toBe(200)
    tradepost.forward(HOUR_MS)
    expect(await call(soon.key)).toBe('API_KEY_EXPIRED')
    expect(await call((await create({ allowedIps: '10.0.0.0/8' })).key)).toBe('IP_NOT_ALLOWED')
    expect(await call((await create({ allowedIps: '10.0.0.0/8, 127.0.0.1' })).key)).toBe(200)
    const { key } = await create({ rateLimit: '2' })
    expect([await call(key), await call(key), await call(key)]).toEqual([200, 200, 'RATE_LIMITED'])
    tradepost.forward(60 * SECOND_MS)
    expect(await call(key)).toBe(200)
  })

  test.each([
    ['a permission that is none', { permissions: 'orders:read,orders:admin' }, 'orders:admin'],
    ['a range that is none', { allowedIps: '10.0.0.0/99' }, '10.0.0.0/99'],
    ['a day that is none', { expiresAt: 'tomorrow' }, '--expires-at'],
    ['a limit that is none', { rateLimit: '-1' }, '--rate-limit'],
    ['a kind that is none', { kind: 'admin' }, '--kind'],
    [
      'a permission of the other kind',
      { kind: 'security', permissions: 'orders:read' },
      'orders:read',
    ],
    ['a store that is none', { store: ['zzzzzzzzzzzz'] }, 'zzzzzzzzzzzz'],
    ['no store', { store: [] }, '--store'],
  ])('with %s is not made', async (_, input, why) => {
    await expect(create(input)).rejects.toThrow(why)
  })

  test('opens stores of one side only', async () => {
    await expect(create({ store: [tradepost.live.id, tradepost.test.id] })).rejects.toThrow(
      'one side',
    )
    const both = await create({ store: [tradepost.live.id, tradepost.other.id] })
    expect([await call(both.key), await call(both.key, tradepost.other)]).toEqual([200, 200])
  })
})

test('a revoked key ends within 5 s, and its first revocation is the one that counts', async () => {
  const { id, key } = await create()
  expect(await call(key)).toBe(200)
  const { revoked_at } = await run('keys revoke', { id: String(id) })
  tradepost.forward(5 * SECOND_MS)
  expect(await call(key)).toBe('INVALID_API_KEY')
  expect(await run('keys revoke', { id: String(id) })).toEqual({ id, revoked_at })
  await expect(run('keys revoke', { id: '999999' })).rejects.toThrow('999999')
  await expect(run('keys revoke', { id: 'x' })).rejects.toThrow('x')
})

test('keys are listed with their permissions, and without their text', async () => {
  const { id, key } = await create({ name: 'Listed' })
  const all = await run('keys list', { store: tradepost.live.id })
  const listed = all.find((item: Json) => item.id === id)
  expect(listed).toMatchObject({ name: 'Listed', last4: key.slice(-4), all_stores: false })
  const text = JSON.stringify(all)
  expect(text).not.toContain(key)
  expect(text).not.toContain('hash')
  const theirs = await run('keys list', { store: tradepost.other.id })
  expect(theirs.some((item: Json) => item.id === id)).toBe(false)
})

test('a key is not in the database in clear', async () => {
  const { key } = await create()
  const rows = await tradepost.db.selectFrom('api_key').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  const bytes = rows.map((row) => `${JSON.stringify(row)}${row.hash.toString('latin1')}`).join()
  expect(bytes).not.toContain(key)
  expect(bytes).not.toContain(key.slice(8, -6))
})
