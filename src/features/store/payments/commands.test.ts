import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../../../test/harness.ts'
import { simulate, startedOrder } from '../../../../test/provider-payments.ts'
import { STRIPE_ACCOUNT } from '../../../../test/providers/stripe.ts'
import {
  CREDENTIALS,
  openStripeStore,
  type StripeStore,
} from '../../../../test/providers/stripe-store.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { answerCommand } from '../../../process/answer-command.ts'
import { paymentCommands } from './commands.ts'
import { readCredentials } from './read-credentials.ts'

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
})
afterAll(() => store.close())

/** Runs a command like the server does, for the test side of the store. */
const run = async (name: string, input: Json = {}): Promise<Json> =>
  (await answerCommand(store.tradepost.app, paymentCommands, {
    command: `payments ${name}`,
    input: { store: store.tradepost.test.id, ...input },
  })) as Json

const printed = (name: string, value: unknown): string => {
  const command = paymentCommands.find((item) => item.name === `payments ${name}`)
  return String(command?.print(value as never))
}

const connect = (credentials: Json = CREDENTIALS, provider = 'stripe') =>
  run('connect', { provider, credentials })

const asTest = () => ({ as: store.tradepost.test })

describe('payments connect', () => {
  test('connects a provider with keys from standard input, and records who did it', async () => {
    const connected = await connect()
    expect(connected).toMatchObject({
      provider: 'stripe',
      status: 'connected',
      account: STRIPE_ACCOUNT,
    })
    expect(JSON.stringify(connected)).not.toContain(CREDENTIALS.secret_key)
    expect(printed('connect', connected)).toBe(
      `stripe is connected to ${STRIPE_ACCOUNT}.\nIts callbacks go to ${connected.callback_url}`,
    )
    const { json } = await store.tradepost.get('/account/audit-events?limit=1', asTest())
    expect(json.audit_events[0]).toMatchObject({
      action: 'account.connect_payment_provider',
      actor: { type: 'command_line', name: 'tradepost payments connect' },
    })
  })

  test.each<[string, Json, string, string]>([
    [
      'a wrong key',
      { ...CREDENTIALS, secret_key: 'sk_test_51Other' },
      'stripe',
      'secret_key: Stri',
    ],
    [
      'a key of another form',
      { ...CREDENTIALS, webhook_secret: 'x' },
      'stripe',
      'webhook_secret: ',
    ],
    [
      'a live key',
      { ...CREDENTIALS, secret_key: 'sk_live_51' },
      'stripe',
      'secret_key: This is a l',
    ],
    ['a missing key', { secret_key: 'sk_test_51' }, 'stripe', 'a line webhook_secret=… is missing'],
    [
      'an unknown name',
      { ...CREDENTIALS, token: 'x' },
      'stripe',
      'token is not known. Leave it out.',
    ],
    ['an unknown provider', {}, 'cash', 'payment provider cash'],
  ])('refuses %s with the reason', async (_, credentials, provider, message) => {
    await expect(connect(credentials, provider)).rejects.toThrow(message)
  })

  test('reads one line name=value for each key', async () => {
    const lines = '# of the sandbox\n\nsecret_key = sk_test_1\r\nwebhook_secret=whsec_a=b\n'
    expect(await readCredentials(Readable.from([lines]), 'stripe')).toEqual({
      secret_key: 'sk_test_1',
      webhook_secret: 'whsec_a=b',
    })
    const refused = readCredentials(Readable.from(['sk_test_secret']), 'stripe')
    const error = await refused.then(String, (reason: Error) => reason.message)
    expect(error).toBe('Standard input, entry 1: write name=value.')
    expect(await readCredentials(Readable.from([]), 'test')).toEqual({})
  })

  test('asks for each key at a terminal, and changes nothing if the user leaves', async () => {
    const terminal = () => Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} })
    const input = terminal()
    const answers = readCredentials(input, 'stripe')
    for (const line of ['sk_test_1', 'whsec_1', '']) {
      input.write(`${line}\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await answers).toEqual({ secret_key: 'sk_test_1', webhook_secret: 'whsec_1' })
    const left = terminal()
    const refused = readCredentials(left, 'stripe')
    left.end()
    await expect(refused).rejects.toThrow('Nothing was changed.')
  })
})

test('payments list shows each provider, its callback address and the reason of a failing one', async () => {
  await connect()
  store.stripe.keys.clear()
  await run('check')
  const providers = await run('list')
  expect(providers.map(({ provider, status }: Json) => [provider, status])).toEqual([
    ['stripe', 'failing'],
    ['test', 'connected'],
  ])
  const text = printed('list', providers)
  expect(text).toContain(`stripe  failing  ${STRIPE_ACCOUNT}`)
  expect(text).toContain('Stripe refused the secret key, or one of its permissions.')
  expect(text).toContain('test  connected')
  store.stripe.keys.add(CREDENTIALS.secret_key)
})

describe('payments check', () => {
  const check = async () => {
    const value = await run('check')
    const stripe = value.providers.find(({ provider }: Json) => provider === 'stripe')
    return { ok: value.ok, state: stripe.state, text: printed('check', value) }
  }

  test('asks each connected provider, and records its answer', async () => {
    const before = await connect()
    store.tradepost.forward(MINUTE_MS)
    expect(await check()).toMatchObject({ ok: true, state: 'works' })
    const { json } = await store.tradepost.get('/account/payment-providers', asTest())
    const { last_checked_at } = json.payment_providers[0]
    const later_ms = Date.parse(last_checked_at) - Date.parse(before.last_checked_at)
    expect(later_ms).toBeGreaterThanOrEqual(MINUTE_MS)
  })

  test('says that the keys are refused, until they are accepted again', async () => {
    await connect()
    store.stripe.misbehaviours.push('forbidden')
    const refused = await check()
    expect(refused).toMatchObject({ ok: false, state: 'refused' })
    expect(refused.text).toContain('stripe  It refuses the keys.')
    expect((await run('list'))[0].status).toBe('failing')
    expect(await check()).toMatchObject({ ok: true, state: 'works' })
    expect((await run('list'))[0].status).toBe('connected')
  })

  test('says that a provider does not answer, which is no fault of the keys', async () => {
    await connect()
    store.stripe.misbehaviours.push('error_500')
    expect(await check()).toMatchObject({ ok: false, state: 'unreachable' })
    expect((await run('list'))[0].status).toBe('connected')
  })
})

describe('payments sweep', () => {
  test('asks about the payments that are due, and says what changed', async () => {
    const { tradepost } = store
    const paid = await startedOrder(tradepost)
    await simulate(tradepost, paid.payment, { do: 'pay', callback: 'never' })
    const open = await startedOrder(tradepost)
    expect((await run('sweep')).payments).toEqual([])
    expect(printed('sweep', { payments: [] })).toBe('No payment is due to be checked.')
    tradepost.forward(2 * MINUTE_MS)
    const swept = await run('sweep')
    const about = { provider: 'test', before: 'pending', error: null }
    expect(swept.payments).toEqual([
      { ...about, payment_id: paid.payment.id, order_id: paid.order.id, after: 'succeeded' },
      { ...about, payment_id: open.payment.id, order_id: open.order.id, after: 'pending' },
    ])
    const lines = printed('sweep', swept).split('\n')
    expect(lines[0]).toBe('Asked about: 2. Changed: 1. Without an answer: 0.')
    expect(lines[1]).toMatch(/pending to succeeded$/)
    expect(lines[2]).toMatch(/still pending$/)
    const { json } = await tradepost.get(`/orders/${paid.order.id}`, asTest())
    expect(json.order.paid_cents).toBe(1000)
  })

  test('with --all asks about every open payment, and says which provider did not answer', async () => {
    await connect()
    const payment = await store.startedPayment()
    store.stripe.misbehaviours.push('error_500')
    const first = (await run('sweep', { all: true })).payments
    expect(first.find(({ payment_id }: Json) => payment_id === payment.id)).toMatchObject({
      before: 'pending',
      after: 'pending',
      error: 'Stripe does not answer now. Repeat the call.',
    })
    store.stripe.pay(payment.external_id)
    const second = (await run('sweep', { all: true })).payments
    expect(second.find(({ payment_id }: Json) => payment_id === payment.id)).toMatchObject({
      after: 'succeeded',
      error: null,
    })
  })
})

test('payments callbacks lists the latest ones, and those of a status', async () => {
  const { payment, order } = await startedOrder(store.tradepost)
  await simulate(store.tradepost, payment, { do: 'pay' })
  const [latest] = await run('callbacks')
  expect(latest).toMatchObject({ payment_id: payment.id, status: 'applied' })
  expect(printed('callbacks', [latest])).toBe(
    `${latest.id}  ${latest.received_at}  test  payment.paid  applied  ${order.id}`,
  )
  expect(await run('callbacks', { status: 'failed' })).toEqual([])
  expect(printed('callbacks', [])).toBe('No callbacks.')
  await expect(run('callbacks', { status: 'lost' })).rejects.toThrow('--status: write one of')
})
