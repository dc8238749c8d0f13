import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../../test/audited.ts'
import { orderOf, product } from '../../../../../test/build.ts'
import type { Json } from '../../../../../test/harness.ts'
import {
  type Misbehaviour,
  STRIPE_ACCOUNT,
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
} from '../../../../../test/providers/stripe.ts'
import {
  CREDENTIALS,
  openStripeStore,
  type StripeStore,
} from '../../../../../test/providers/stripe-store.ts'

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
})
afterAll(() => store.close())

const PATH = '/account/payment-providers'
const asTest = () => ({ as: store.tradepost.test })
const listed = async (): Promise<Json> =>
  (await store.tradepost.get(PATH, asTest())).json.payment_providers.find(
    ({ provider }: Json) => provider === 'stripe',
  )
const disconnect = () => store.tradepost.delete(`${PATH}/stripe?force=true`, asTest())
describe('a connection to Stripe', () => {
  test('is offered on both sides', async () => {
    const { json } = await store.tradepost.get(PATH)
    expect(json.payment_providers).toMatchObject([
      { provider: 'stripe', status: null, methods: ['card'], account: null, livemode: true },
    ])
    expect(await listed()).toMatchObject({ status: null, methods: ['card'], livemode: false })
  })

  test('is made when Stripe accepts the key, shows the account, and never the secrets', async () => {
    const { status, json, text } = await store.connect({
      ...CREDENTIALS,
      publishable_key: 'pk_test_51FakeKeyOfThePage',
    })
    expect(status).toBe(200)
    expect(json.payment_provider).toMatchObject({
      provider: 'stripe',
      status: 'connected',
      methods: ['card'],
      account: STRIPE_ACCOUNT,
      callback_url: expect.stringMatching(`/callbacks/stripe/${store.tradepost.test.id}$`),
      last_checked_at: expect.any(String),
      last_error: null,
    })
    expect(await listed()).toEqual(json.payment_provider)
    expect(text).not.toMatch(/_test_51|whsec_/)
    expect(store.stripe.requests.at(-1)).toMatchObject({
      path: '/v1/account',
      headers: { authorization: `Bearer ${STRIPE_KEY}`, 'stripe-version': '2026-08-26.dahlia' },
    })
  })

  test('is replaced by another one, and ends with its secrets', async () => {
    const other = 'sk_test_51AnotherKey'
    store.stripe.keys.add(other)
    expect((await store.connect({ ...CREDENTIALS, secret_key: other })).status).toBe(200)
    await store.startedPayment()
    expect(store.stripe.requests.at(-1)?.headers.authorization).toBe(`Bearer ${other}`)
    expect((await disconnect()).status).toBe(200)
    expect(await listed()).toMatchObject({ status: null, account: null, last_checked_at: null })
    const { rows } = await sql`select from payment_provider where provider = 'stripe'`.execute(
      store.tradepost.db,
    )
    expect(rows).toEqual([])
    await store.connect()
  })

  test('has an audit event each time, with masked secrets', async () => {
    const before = await lastAuditId(store.tradepost)
    await store.connect()
    const [event, ...others] = await auditEventsSince(store.tradepost, before)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      action: 'account.connect_payment_provider',
      object: 'payment_provider',
      object_id: 'stripe',
    })
    expect(event?.changes).toEqual({
      status: { from: null, to: 'connected' },
      account: { from: null, to: STRIPE_ACCOUNT },
      secret_key: { from: null, to: '••••' },
      webhook_secret: { from: null, to: '••••' },
    })
  })
})

test('connecting enables the method on products that never changed theirs, and disconnecting disables it', async () => {
  await disconnect()
  const create = async (fields: Json): Promise<string> =>
    (await product(store.tradepost, { type: 'service', ...fields }, asTest())).id
  const unchanged = await create({})
  const changed = await create({ methods: [{ method: 'card', enabled: false }] })
  const isEnabled = async (id: string): Promise<boolean> => {
    const path = `/products/${id}/payment-methods`
    const { methods } = (await store.tradepost.get(path, asTest())).json
    return methods.find(({ method }: Json) => method === 'card').enabled
  }
  expect([await isEnabled(unchanged), await isEnabled(changed)]).toEqual([false, false])
  await store.connect()
  expect([await isEnabled(unchanged), await isEnabled(changed)]).toEqual([true, false])
  const { json } = await store.tradepost.get('/products?include=methods&limit=2', asTest())
  const [newest, second] = json.products.map(({ methods }: Json) => methods)
  expect(newest).toContainEqual({ method: 'card', enabled: false })
  expect(second).toContainEqual({ method: 'card', enabled: true })
  const body = (id: string) => orderOf(id, { payment_method: 'card' })
  expect((await store.tradepost.post('/orders', body(unchanged), asTest())).status).toBe(201)
  const { json: refused } = await store.tradepost.post('/orders', body(changed), asTest())
  expect(refused.details).toMatchObject({
    field: 'payment_method',
    allowed: ['manual', 'balance', 'test'],
  })
  await disconnect()
  expect(await isEnabled(unchanged)).toBe(false)
  await store.connect()
})

describe('a connection is refused, and nothing is stored,', () => {
  const refused = async (body: Json, as = store.tradepost.test) => {
    const before = await listed()
    const { status, json } = await store.tradepost.put(`${PATH}/stripe`, body, { as })
    expect(await listed()).toEqual(before)
    return [status, json.code, json.details?.field]
  }

  test.each([
    ['an unknown provider', `${PATH}/nobody`],
    ['a provider of the other side', `${PATH}/test`],
  ])('of %s, before its body is looked at', async (_case, path) => {
    const { json } = await store.tradepost.put(path, { secret_key: 1, more: true })
    expect(json.code).toBe('NOT_FOUND')
  })

  test.each<[string, Json, string]>([
    ['without fields', {}, 'secret_key'],
    ['without a webhook secret', { secret_key: STRIPE_KEY }, 'webhook_secret'],
    ['with an unknown field', { ...CREDENTIALS, key: '1' }, 'key'],
    ['with null', { ...CREDENTIALS, webhook_secret: null }, 'webhook_secret'],
    ['with a number', { ...CREDENTIALS, secret_key: 1 }, 'secret_key'],
    [
      'with a publishable key as the secret one',
      { ...CREDENTIALS, secret_key: 'pk_test_1' },
      'secret_key',
    ],
    ['with a line break', { ...CREDENTIALS, secret_key: `${STRIPE_KEY}\n` }, 'secret_key'],
    ['with a long key', { ...CREDENTIALS, secret_key: `sk_test_${'a'.repeat(255)}` }, 'secret_key'],
    ['with a live key', { ...CREDENTIALS, secret_key: 'sk_live_51' }, 'secret_key'],
    ['with a restricted live key', { ...CREDENTIALS, secret_key: 'rk_live_51' }, 'secret_key'],
    [
      'with a live publishable key',
      { ...CREDENTIALS, publishable_key: 'pk_live_51' },
      'publishable_key',
    ],
  ])('%s', async (_case, body, field) => {
    const before = store.stripe.requests.length
    expect(await refused(body)).toEqual([422, 'VALIDATION_FAILED', field])
    expect(store.stripe.requests).toHaveLength(before)
  })

  test.each(['sk_test_51', 'rk_test_51'])('with %s on the live side', async (secret_key) => {
    const body = { ...CREDENTIALS, secret_key }
    expect(await refused(body, store.tradepost.live)).toEqual([
      422,
      'VALIDATION_FAILED',
      'secret_key',
    ])
  })

  test('with a key that Stripe does not know', async () => {
    const body = { ...CREDENTIALS, secret_key: 'sk_test_51Mistyped' }
    expect(await refused(body)).toEqual([422, 'VALIDATION_FAILED', 'secret_key'])
  })

  test.each<[Misbehaviour, number]>([
    ['forbidden', 422],
    ['error_500', 503],
    ['broken_json', 503],
    ['no_object', 503],
    ['large', 503],
    ['redirect', 503],
    ['dies', 503],
  ])('if Stripe answers with %s: %d', async (misbehaviour, status) => {
    store.stripe.misbehaviours.push(
      misbehaviour,
      ...(misbehaviour === 'dies' ? ['dies' as const] : []),
    )
    expect((await refused(CREDENTIALS))[0]).toBe(status)
    store.stripe.misbehaviours.length = 0
  })

  test('without the permission account:write', async () => {
    const as = await store.tradepost.key({
      of: store.tradepost.test,
      permissions: ['account:read'],
    })
    expect((await refused(CREDENTIALS, as))[1]).toBe('INSUFFICIENT_SCOPE')
  })
})

test('a key that Stripe refuses later makes the connection failing until it is accepted again', async () => {
  await store.connect()
  store.stripe.keys.delete(STRIPE_KEY)
  const unpaid = await store.unpaidOrder()
  const { status, json } = await store.start(unpaid.id)
  expect([status, json.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(await listed()).toMatchObject({
    status: 'failing',
    last_error: 'Stripe refused the secret key, or one of its permissions.',
  })
  store.stripe.keys.add(STRIPE_KEY)
  expect((await store.start(unpaid.id)).status).toBe(200)
  expect(await listed()).toMatchObject({ status: 'connected', last_error: null })
})

test('a secret of a connection is in no table, no log and no stored answer in plain text', async () => {
  await store.tradepost.put(`${PATH}/stripe`, CREDENTIALS, {
    ...asTest(),
    headers: { 'idempotency-key': 'connect-1' },
  })
  await store.startedPayment()
  await store.tradepost.authentication.flush()
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(store.tradepost.db)
  expect(tables.map(({ name }) => name)).toContain('api_call')
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.tradepost.db)
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    for (const secret of [STRIPE_KEY, STRIPE_WEBHOOK_SECRET])
      expect(text.includes(secret), name).toBe(false)
  }
})
