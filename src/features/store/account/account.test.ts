import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { storeCommands } from '../../installation/stores/index.ts'
import { accountCommands } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const commands = [...accountCommands, ...storeCommands]
const run = async (name: string, input: Json): Promise<Json> =>
  commands.find((item) => item.name === name)?.run(tradepost.app, input)

/** Ends the 5 s for which a store is cached, because a command changes it as another process would. */
const expireCache = () => tradepost.forward(5 * SECOND_MS)

describe('the account', () => {
  test('shows the store, the calling key and the enabled features', async () => {
    await tradepost.events()
    const as = await tradepost.key({
      permissions: ['orders:read', 'account:read'],
      rate_limit: 500,
    })
    const { status, json } = await tradepost.get('/account', { as })
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      account: {
        store: {
          id: tradepost.live.id,
          name: 'Here',
          slug: 'here',
          currency: 'EUR',
          plan: 'self_hosted',
          livemode: true,
          created_at: expect.stringMatching(/Z$/),
        },
        api: {
          permissions: ['account:read', 'orders:read'],
          rate_limit: 500,
          monthly_quota: null,
          monthly_used: expect.any(Number),
          resets_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
        },
        features: { affiliates: false, shipping: true, subscriptions: true },
      },
    })
    expect(await tradepost.events()).toEqual([])
  })

  test('shows the test side to a key of the test side, whose calls use no quota', async () => {
    const { store, api } = (await tradepost.get('/account', { as: tradepost.test })).json.account
    expect(store).toMatchObject({ id: tradepost.test.id, slug: 'here', livemode: false })
    expect(api.monthly_used).toBe(0)
    expect(api.permissions).toEqual([...PERMISSIONS].sort())
  })

  test('needs account:read', async () => {
    const as = await tradepost.key({ permissions: ['account:write'] })
    expect((await tradepost.get('/account', { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('a store', () => {
  test('is created with two sides of one slug, and the key of each side is refused on the other side', async () => {
    const { live, test: testSide } = await run('stores create', {
      name: 'Käse & Co',
      currency: 'JPY',
    })
    expect(live).toMatchObject({
      slug: 'kase-co',
      livemode: true,
      api_key: expect.stringMatching(/^sk_live_/),
    })
    expect(testSide).toMatchObject({
      slug: 'kase-co',
      livemode: false,
      api_key: expect.stringMatching(/^sk_test_/),
    })
    expect((await tradepost.get('/account', { as: live })).json.account.store).toMatchObject({
      name: 'Käse & Co',
      currency: 'JPY',
    })
    for (const as of [
      { ...live, api_key: testSide.api_key },
      { ...testSide, api_key: live.api_key },
    ]) {
      const { status, json } = await tradepost.get('/account', { as })
      expect([status, json.code]).toEqual([403, 'STORE_NOT_ALLOWED'])
      expect(json.details.hint).toMatch(
        as.id === live.id ? /test key .* live side.*sk_live_/ : /live key .* test side.*sk_test_/,
      )
    }
    const namesake = await run('stores create', { name: 'Käse & Co' })
    expect(namesake.live.slug).toMatch(/^kase-co-./)
  })

  test.each([
    ['no name', { name: '  ' }, '--name'],
    ['a long name', { name: 'x'.repeat(121) }, '--name'],
    ['a currency that is invalid', { name: 'A', currency: 'eur' }, '--currency'],
    ['the lira, a former currency', { name: 'A', currency: 'ITL' }, '"ITL"'],
    ['gold', { name: 'A', currency: 'XAU' }, '"XAU"'],
    ['a code for tests', { name: 'A', currency: 'XTS' }, '"XTS"'],
    ['a plan that is invalid', { name: 'A', plan: 'gold' }, '--plan'],
  ])('with %s is refused', async (_, input, option) => {
    await expect(run('stores create', input)).rejects.toThrow(option)
  })

  test('has the quota of its plan on both sides, and no Store API on the plan `free`', async () => {
    const { live, test: testSide } = await run('stores create', { name: 'Plans', plan: 'starter' })
    for (const as of [live, testSide]) {
      const { json } = await tradepost.get('/account', { as })
      expect(json.account.api.monthly_quota).toBe(10_000)
    }
    await run('stores set-plan', { store: live.id, plan: 'free' })
    expireCache()
    for (const as of [live, testSide]) {
      const { status, json } = await tradepost.get('/account', { as })
      expect([status, json.code]).toEqual([403, 'STORE_API_NOT_IN_PLAN'])
    }
    await expect(run('stores set-plan', { store: live.id, plan: 'gold' })).rejects.toThrow('--plan')
    await expect(run('stores set-plan', { store: 'nobody', plan: 'free' })).rejects.toThrow(
      'nobody',
    )
  })

  test('counts the calls of its month, including those of another process', async () => {
    const { live } = await run('stores create', { name: 'Counted', plan: 'starter' })
    const monthlyUsed = async () =>
      (await tradepost.get('/account', { as: live })).json.account.api.monthly_used
    expect([await monthlyUsed(), await monthlyUsed()]).toEqual([1, 2])
    await tradepost.authentication.flush()
    expect(await monthlyUsed()).toBe(3)
    await tradepost.db
      .updateTable('store')
      .set({ quota_used: 9_998 })
      .where('hash', '=', live.id)
      .execute()
    await tradepost.authentication.flush()
    expect(await monthlyUsed()).toBe(10_000)
    const { status, json, headers } = await tradepost.get('/account', { as: live })
    expect([status, json.code]).toEqual([429, 'STORE_API_MONTHLY_QUOTA_EXCEEDED'])
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })

  test('switches its features one by one', async () => {
    const features = async () => (await tradepost.get('/account')).json.account.features
    const switchAnswer = await run('features set', {
      store: tradepost.live.id,
      switches: 'affiliates=on,shipping=off',
    })
    expireCache()
    expect(await features()).toEqual(switchAnswer.features)
    expect(switchAnswer.features).toEqual({
      affiliates: true,
      shipping: false,
      subscriptions: true,
    })
    await run('features set', { store: tradepost.live.id, switches: 'shipping=on' })
    expireCache()
    expect(await features()).toEqual({ affiliates: true, shipping: true, subscriptions: true })
    for (const switches of ['', 'shipping', 'shipping=yes', 'cars=on']) {
      await expect(run('features set', { store: tradepost.live.id, switches })).rejects.toThrow()
    }
  })
})
