import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditedSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import { openClocked } from '../../../../test/clocked.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { foldWalletsJob } from './index.ts'

let tradepost: Tradepost
let service: string

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service', price_cents: 10_000 })).id
})
afterAll(() => tradepost.close())

const wallet = async (options?: CallOptions): Promise<Json> =>
  (await tradepost.get('/account/wallet', options)).json.wallet

const available = async (): Promise<number> => (await wallet()).available_cents

const REQUEST = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

const request = (fields: Json = {}, options?: CallOptions) =>
  tradepost.post('/account/withdrawals', { ...REQUEST, ...fields }, options)

async function requested(fields: Json = {}): Promise<Json> {
  const { status, json, text } = await request(fields)
  expect(status, text).toBe(201)
  return json.withdrawal
}

const end = (id: number, name: string, body?: Json) =>
  tradepost.post(`/account/withdrawals/${id}/${name}`, body)

const ENDS = [
  ['complete', { reference: 'Transfer 1' }, 'completed'],
  ['fail', { reason: 'The bank refused it.' }, 'failed'],
  ['cancel', undefined, 'cancelled'],
] as const

async function isSound(): Promise<void> {
  const { findings } = await diagnose(tradepost.app)
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
}

beforeEach(async () => {
  await order(tradepost, service, { mark_paid: true })
  await tradepost.events()
})

describe('the wallet', () => {
  test('of a new store is empty, in the currency of the store', async () => {
    expect(await wallet({ as: tradepost.other })).toEqual({
      object: 'wallet',
      currency: 'EUR',
      paid_cents: 0,
      refunded_cents: 0,
      pending_cents: 0,
      withdrawn_cents: 0,
      available_cents: 0,
    })
  })

  test('follows payments, part payments and refunds at once, folded or not', async () => {
    const before = await wallet()
    const sold = await order(tradepost, service)
    expect(await wallet()).toEqual(before)
    const pay = (fields: Json) => tradepost.post(`/orders/${sold.id}/manual-payments`, fields)
    await pay({ amount_cents: 4_000 })
    const review = await pay({ amount_cents: 6_000, status: 'pending_review' })
    expect((await wallet()).paid_cents).toBe(before.paid_cents + 4_000)
    await foldWalletsJob.run(tradepost.app)
    await tradepost.post(`/orders/${sold.id}/manual-payments/${review.json.payment.id}/approve`, {})
    await tradepost.post(`/orders/${sold.id}/refund`, { amount_cents: 1_500 })
    const after = {
      ...before,
      paid_cents: before.paid_cents + 10_000,
      refunded_cents: before.refunded_cents + 1_500,
      available_cents: before.available_cents + 8_500,
    }
    expect(await wallet()).toEqual(after)
    await foldWalletsJob.run(tradepost.app)
    expect(await wallet()).toEqual(after)
    await isSound()
  })

  test('goes below 0 when money that was withdrawn is refunded, and then gives nothing', async () => {
    const sold = await order(tradepost, service, { mark_paid: true })
    const { id } = await requested({ amount_cents: await available() })
    await end(id, 'complete', { reference: 'All' })
    await tradepost.post(`/orders/${sold.id}/refund`)
    expect(await available()).toBe(-10_000)
    const { status, json } = await request({ amount_cents: 1 })
    expect([status, json.details]).toEqual([422, { field: 'amount_cents', available: -10_000 }])
    for (let n = 0; n < 3; n++) await order(tradepost, service, { mark_paid: true })
    expect(await available()).toBe(20_000)
  })
})

describe('a withdrawal', () => {
  test('deducts its amount from the available balance, and sends no event', async () => {
    const before = await wallet()
    const made = await requested({ fee_cents: 50 })
    expect(made).toEqual({
      id: expect.any(Number),
      object: 'withdrawal',
      amount_cents: 1_000,
      fee_cents: 50,
      net_cents: 950,
      currency: 'EUR',
      method: 'bank_transfer',
      address: 'GB29NWBK60161331926819',
      status: 'pending',
      reference: null,
      failure_reason: null,
      created_at: expect.stringMatching(/Z$/),
      completed_at: null,
    })
    expect((await tradepost.get(`/account/withdrawals/${made.id}`)).json.withdrawal).toEqual(made)
    expect(await wallet()).toEqual({
      ...before,
      pending_cents: before.pending_cents + 1_000,
      available_cents: before.available_cents - 1_000,
    })
    expect(await tradepost.events()).toEqual([])
  })

  test('of more than is available is refused, with the available amount', async () => {
    const most = await available()
    const { status, json } = await request({ amount_cents: most + 1 })
    expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(json.details).toEqual({ field: 'amount_cents', available: most })
    expect(json.error).toContain(String(most))
    expect((await request({ amount_cents: most })).status).toBe(201)
    expect(await available()).toBe(0)
  })

  test.each([
    ['amount_cents', 0],
    ['amount_cents', 1.5],
    ['fee_cents', 1_000],
    ['fee_cents', -1],
    ['method', ''],
    ['address', null],
    ['currency', 'USD'],
  ])('with a bad %s is refused: %s', async (field, value) => {
    const { status, json } = await request({ [field]: value })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('that is completed sends its event once, with amounts in major units', async () => {
    const { id } = await requested({ fee_cents: 50 })
    const before = await wallet()
    const { status, json } = await end(id, 'complete', { reference: 'Transfer 4712' })
    expect(status).toBe(200)
    expect(json.withdrawal).toMatchObject({
      status: 'completed',
      reference: 'Transfer 4712',
      completed_at: expect.stringMatching(/Z$/),
    })
    expect(await tradepost.events()).toEqual(['withdrawal.completed'])
    const payload = (await tradepost.payloads('withdrawal.completed')).at(-1)
    expect(payload.data.object).toEqual({
      object: 'withdrawal',
      id,
      amount: 10,
      fee: 0.5,
      net_amount: 9.5,
      currency: 'EUR',
      method: 'bank_transfer',
      address: 'GB29NWBK60161331926819',
      reference: 'Transfer 4712',
      completed_at: json.withdrawal.completed_at,
    })
    expect(await wallet()).toEqual({
      ...before,
      pending_cents: before.pending_cents - 1_000,
      withdrawn_cents: before.withdrawn_cents + 1_000,
    })
  })

  test.each(['fail', 'cancel'])(
    'that ends by %s gives its money back, without an event',
    async (name) => {
      const before = await wallet()
      const { id } = await requested()
      const body = name === 'fail' ? { reason: 'Wrong account.' } : undefined
      const { json } = await end(id, name, body)
      expect(json.withdrawal).toMatchObject({
        status: name === 'fail' ? 'failed' : 'cancelled',
        failure_reason: name === 'fail' ? 'Wrong account.' : null,
        completed_at: null,
      })
      expect(await wallet()).toEqual(before)
      expect(await tradepost.events()).toEqual([])
    },
  )

  test.each(ENDS)('that ended by %s does not end again', async (name, body, status) => {
    const { id } = await requested()
    expect((await end(id, name, body)).json.withdrawal.status).toBe(status)
    const before = await wallet()
    await tradepost.events()
    for (const [again, more] of ENDS) {
      const { status: code, json } = await end(id, again, more)
      expect([code, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', status])
    }
    expect(await wallet()).toEqual(before)
    expect(await tradepost.events()).toEqual([])
    await isSound()
  })

  test('needs a reference to be completed and a reason to fail', async () => {
    const { id } = await requested()
    for (const [name, field] of [
      ['complete', 'reference'],
      ['fail', 'reason'],
    ] as const) {
      const { status, json } = await end(id, name, {})
      expect([status, json.details.field]).toEqual([422, field])
    }
  })

  test('that is requested again with the same idempotency key is one', async () => {
    const before = await available()
    const options = { headers: { 'idempotency-key': 'withdraw-once' } }
    const first = await request({}, options)
    expect((await request({}, options)).text).toBe(first.text)
    expect(await available()).toBe(before - 1_000)
  })

  test('of another store is not found, and takes nothing there', async () => {
    const { id } = await requested()
    for (const [name, body] of ENDS) {
      const { status, json } = await tradepost.post(`/account/withdrawals/${id}/${name}`, body, {
        as: tradepost.test,
      })
      expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
    }
    const { status } = await request({ amount_cents: 1 }, { as: tradepost.other })
    expect(status).toBe(422)
  })

  test('needs account:write, and account:read to be seen', async () => {
    const { id } = await requested()
    const reader = await tradepost.key({ permissions: ['account:read'] })
    const writer = await tradepost.key({ permissions: ['account:write'] })
    expect((await request({}, { as: reader })).status).toBe(403)
    expect((await tradepost.get(`/account/withdrawals/${id}`, { as: reader })).status).toBe(200)
    expect((await tradepost.get('/account/withdrawals', { as: writer })).status).toBe(403)
  })

  test('is audited with its amount and each step', async () => {
    const last = await lastAuditId(tradepost)
    const { id } = await requested()
    await end(id, 'fail', { reason: 'No.' })
    expect(await auditedSince(tradepost, last)).toMatchObject([
      {
        object: 'withdrawal',
        object_id: String(id),
        changes: { amount_cents: { from: null, to: 1_000 } },
      },
      {
        object: 'withdrawal',
        object_id: String(id),
        changes: { status: { from: 'pending', to: 'failed' } },
      },
    ])
  })
})

test('withdrawals are listed newest first, and by status', async () => {
  const [first, second] = [await requested(), await requested()]
  await end(first.id, 'cancel')
  const list = async (query: string) => (await tradepost.get(`/account/withdrawals?${query}`)).json
  const { withdrawals, pagination } = await list('limit=2')
  expect(withdrawals.map(({ id }: Json) => id)).toEqual([second.id, first.id])
  expect(pagination).toMatchObject({ limit: 2, offset: 0, has_more: true })
  for (const { status } of (await list('status=cancelled,failed&limit=100')).withdrawals) {
    expect(['cancelled', 'failed']).toContain(status)
  }
  expect((await tradepost.get('/account/withdrawals?status=sent')).json.details.field).toBe(
    'status',
  )
})

test("withdrawals follow the store's clock", async () => {
  const clocked = await openClocked()
  const { tradepost: other, as, advance } = clocked
  const { id } = await product(other, { type: 'service', price_cents: 10_000 }, as)
  await order(other, id, { mark_paid: true }, as)
  const asked = await advance('3d')
  const made = (await other.post('/account/withdrawals', REQUEST, as)).json.withdrawal
  expect(made.created_at).toBe(asked)
  const sent = await advance('2d')
  const path = `/account/withdrawals/${made.id}/complete`
  const { withdrawal } = (await other.post(path, { reference: 'T' }, as)).json
  expect(withdrawal.completed_at).toBe(sent)
  await clocked.isSound()
  await other.close()
})
