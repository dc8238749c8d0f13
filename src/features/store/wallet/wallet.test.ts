import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { openStoreWithClock } from '../../../../test/store-with-clock.ts'
import { foldWalletsJob } from './index.ts'

let tradepost: Tradepost
let service: string

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service', price_cents: 10_000 })).id
})
afterAll(() => tradepost.close())

const readWallet = async (options?: CallOptions): Promise<Json> =>
  (await tradepost.get('/account/wallet', options)).json.wallet

const readAvailable = async (): Promise<number> => (await readWallet()).available_cents

const REQUEST = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

const requestWithdrawal = (fields: Json = {}, options?: CallOptions) =>
  tradepost.post('/account/withdrawals', { ...REQUEST, ...fields }, options)

async function createWithdrawal(fields: Json = {}): Promise<Json> {
  const { status, json, text } = await requestWithdrawal(fields)
  expect(status, text).toBe(201)
  return json.withdrawal
}

const callWithdrawal = (id: number, verb: string, body?: Json) =>
  tradepost.post(`/account/withdrawals/${id}/${verb}`, body)

const processWithdrawal = (id: number, body?: Json) =>
  expectSuccess(callWithdrawal(id, 'process', body))

/** The calls that end a withdrawal, and the status after each of them. */
const ENDINGS = [
  ['complete', { reference: 'Transfer 1' }, 'completed'],
  ['fail', { reason: 'The bank refused it.' }, 'failed'],
  ['cancel', undefined, 'cancelled'],
] as const

beforeEach(async () => {
  await order(tradepost, service, { mark_paid: true })
  await tradepost.events()
})

describe('the wallet', () => {
  test('of a new store is empty, in the currency of the store', async () => {
    expect(await readWallet({ as: tradepost.other })).toEqual({
      object: 'wallet',
      currency: 'EUR',
      paid_cents: 0,
      refunded_cents: 0,
      pending_cents: 0,
      withdrawn_cents: 0,
      available_cents: 0,
    })
  })

  test('follows payments, part payments and refunds immediately, before and after the job adds them', async () => {
    const before = await readWallet()
    const newOrder = await order(tradepost, service)
    expect(await readWallet()).toEqual(before)
    const pay = (fields: Json) => tradepost.post(`/orders/${newOrder.id}/manual-payments`, fields)
    await expectSuccess(pay({ amount_cents: 4_000 }))
    const review = await pay({ amount_cents: 6_000, status: 'pending_review' })
    expect((await readWallet()).paid_cents).toBe(before.paid_cents + 4_000)
    await foldWalletsJob.run(tradepost.app)
    await expectSuccess(
      tradepost.post(
        `/orders/${newOrder.id}/manual-payments/${review.json.payment.id}/approve`,
        {},
      ),
    )
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`, { amount_cents: 1_500 }))
    const after = {
      ...before,
      paid_cents: before.paid_cents + 10_000,
      refunded_cents: before.refunded_cents + 1_500,
      available_cents: before.available_cents + 8_500,
    }
    expect(await readWallet()).toEqual(after)
    await foldWalletsJob.run(tradepost.app)
    expect(await readWallet()).toEqual(after)
    await expectNoFindings(tradepost)
  })

  test('becomes negative by a refund after a withdrawal, and then allows no withdrawal', async () => {
    const newOrder = await order(tradepost, service, { mark_paid: true })
    const { id } = await createWithdrawal({ amount_cents: await readAvailable() })
    await expectSuccess(callWithdrawal(id, 'complete', { reference: 'All' }))
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
    expect(await readAvailable()).toBe(-10_000)
    const { status, json } = await requestWithdrawal({ amount_cents: 1 })
    expect([status, json.details]).toMatchObject([
      422,
      { field: 'amount_cents', available: -10_000 },
    ])
    for (let n = 0; n < 3; n++) await order(tradepost, service, { mark_paid: true })
    expect(await readAvailable()).toBe(20_000)
  })
})

describe('a withdrawal', () => {
  test('deducts its amount from the available balance, and emits no event', async () => {
    const before = await readWallet()
    const withdrawal = await createWithdrawal({ fee_cents: 50 })
    expect(withdrawal).toEqual({
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
    expect((await tradepost.get(`/account/withdrawals/${withdrawal.id}`)).json.withdrawal).toEqual(
      withdrawal,
    )
    expect(await readWallet()).toEqual({
      ...before,
      pending_cents: before.pending_cents + 1_000,
      available_cents: before.available_cents - 1_000,
    })
    expect(await tradepost.events()).toEqual([])
  })

  test('of more than is available is refused, with the available amount', async () => {
    const availableCents = await readAvailable()
    const { status, json } = await requestWithdrawal({ amount_cents: availableCents + 1 })
    expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(json.details).toMatchObject({ field: 'amount_cents', available: availableCents })
    expect(json.error).toContain(String(availableCents))
    expect((await requestWithdrawal({ amount_cents: availableCents })).status).toBe(201)
    expect(await readAvailable()).toBe(0)
  })

  test.each([
    ['amount_cents', 0],
    ['amount_cents', 1.5],
    ['fee_cents', 1_000],
    ['fee_cents', -1],
    ['method', ''],
    ['address', null],
    ['currency', 'USD'],
  ])('with the %s %j is refused, and the error names the field', async (field, value) => {
    const { status, json } = await requestWithdrawal({ [field]: value })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('that is completed emits its event once, with amounts in major units', async () => {
    const { id } = await createWithdrawal({ fee_cents: 50 })
    const before = await readWallet()
    const { status, json } = await callWithdrawal(id, 'complete', { reference: 'Transfer 4712' })
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
    expect(await readWallet()).toEqual({
      ...before,
      pending_cents: before.pending_cents - 1_000,
      withdrawn_cents: before.withdrawn_cents + 1_000,
    })
  })

  test.each(['fail', 'cancel'])(
    'that ends by the call %s returns its amount to the balance, and emits no event',
    async (name) => {
      const before = await readWallet()
      const { id } = await createWithdrawal()
      const body = name === 'fail' ? { reason: 'Wrong account.' } : undefined
      const { json } = await callWithdrawal(id, name, body)
      expect(json.withdrawal).toMatchObject({
        status: name === 'fail' ? 'failed' : 'cancelled',
        failure_reason: name === 'fail' ? 'Wrong account.' : null,
        completed_at: null,
      })
      expect(await readWallet()).toEqual(before)
      expect(await tradepost.events()).toEqual([])
    },
  )

  test('that is processing keeps its amount deducted, and emits no event', async () => {
    const withdrawals = [await createWithdrawal(), await createWithdrawal()]
    const before = await readWallet()
    for (const [n, body] of [{ reference: 'Transfer 4712' }, undefined].entries()) {
      const newWithdrawal = withdrawals[n] ?? {}
      const { status, json } = await callWithdrawal(newWithdrawal.id, 'process', body)
      expect(status).toBe(200)
      expect(json.withdrawal).toEqual({
        ...newWithdrawal,
        status: 'processing',
        reference: body?.reference ?? null,
      })
      const withdrawalAnswer = await tradepost.get(`/account/withdrawals/${newWithdrawal.id}`)
      expect(withdrawalAnswer.json.withdrawal).toEqual(json.withdrawal)
    }
    expect(await readWallet()).toEqual(before)
    expect(await tradepost.events()).toEqual([])
    await expectNoFindings(tradepost)
  })

  test('that is processing can be completed or fail, and cannot be cancelled or processed again', async () => {
    const { id: first } = await createWithdrawal()
    await processWithdrawal(first, { reference: 'Transfer 1' })
    for (const name of ['cancel', 'process']) {
      const { status, json } = await callWithdrawal(first, name)
      expect([status, json.code, json.details]).toEqual([
        409,
        'INVALID_STATE',
        { status: 'processing' },
      ])
      expect(json.error).toContain('processing')
    }
    const completion = (await callWithdrawal(first, 'complete', { reference: 'Transfer 1b' })).json
      .withdrawal
    expect(completion).toMatchObject({ status: 'completed', reference: 'Transfer 1b' })
    expect(await tradepost.events()).toEqual(['withdrawal.completed'])

    const before = await readWallet()
    const { id: second } = await createWithdrawal()
    await processWithdrawal(second, { reference: 'Transfer 2' })
    const failedWithdrawal = (await callWithdrawal(second, 'fail', { reason: 'Refused.' })).json
      .withdrawal
    expect(failedWithdrawal).toMatchObject({
      status: 'failed',
      reference: 'Transfer 2',
      failure_reason: 'Refused.',
      completed_at: null,
    })
    expect(await readWallet()).toEqual(before)
    expect(await tradepost.events()).toEqual([])
    await expectNoFindings(tradepost)
  })

  test.each(ENDINGS)(
    'that ended by the call %s cannot change again',
    async (verb, body, status) => {
      const { id } = await createWithdrawal()
      expect((await callWithdrawal(id, verb, body)).json.withdrawal.status).toBe(status)
      const before = await readWallet()
      await tradepost.events()
      for (const [nextVerb, nextBody] of [...ENDINGS, ['process', undefined] as const]) {
        const { status: code, json } = await callWithdrawal(id, nextVerb, nextBody)
        expect([code, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', status])
      }
      expect(await readWallet()).toEqual(before)
      expect(await tradepost.events()).toEqual([])
      await expectNoFindings(tradepost)
    },
  )

  test('needs a reference to be completed and a reason to fail', async () => {
    const { id } = await createWithdrawal()
    for (const [name, field] of [
      ['complete', 'reference'],
      ['fail', 'reason'],
    ] as const) {
      const { status, json } = await callWithdrawal(id, name, {})
      expect([status, json.details.field]).toEqual([422, field])
    }
  })

  test('that is requested twice with one idempotency key is created once', async () => {
    const before = await readAvailable()
    const options = { headers: { 'idempotency-key': 'withdraw-once' } }
    const first = await requestWithdrawal({}, options)
    expect((await requestWithdrawal({}, options)).text).toBe(first.text)
    expect(await readAvailable()).toBe(before - 1_000)
  })

  test('of another store answers 404, and cannot use the money of another store', async () => {
    const { id } = await createWithdrawal()
    for (const [name, body] of [...ENDINGS, ['process', undefined] as const]) {
      const { status, json } = await tradepost.post(`/account/withdrawals/${id}/${name}`, body, {
        as: tradepost.test,
      })
      expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
    }
    const { status } = await requestWithdrawal({ amount_cents: 1 }, { as: tradepost.other })
    expect(status).toBe(422)
  })

  test('needs account:write to be requested, and account:read to be read', async () => {
    const { id } = await createWithdrawal()
    const reader = await tradepost.key({ permissions: ['account:read'] })
    const writer = await tradepost.key({ permissions: ['account:write'] })
    expect((await requestWithdrawal({}, { as: reader })).status).toBe(403)
    expect((await tradepost.get(`/account/withdrawals/${id}`, { as: reader })).status).toBe(200)
    expect((await tradepost.get('/account/withdrawals', { as: writer })).status).toBe(403)
  })

  test('is audited with its amount, and with each change of its status', async () => {
    const lastId = await lastAuditId(tradepost)
    const { id } = await createWithdrawal()
    await processWithdrawal(id)
    await expectSuccess(callWithdrawal(id, 'fail', { reason: 'No.' }))
    expect(await auditEventsSince(tradepost, lastId)).toMatchObject([
      {
        object: 'withdrawal',
        object_id: String(id),
        changes: { amount_cents: { from: null, to: 1_000 } },
      },
      {
        object: 'withdrawal',
        object_id: String(id),
        action: 'account.process_withdrawal',
        changes: { status: { from: 'pending', to: 'processing' } },
      },
      {
        object: 'withdrawal',
        object_id: String(id),
        action: 'account.fail_withdrawal',
        changes: { status: { from: 'processing', to: 'failed' } },
      },
    ])
  })
})

test('withdrawals are listed newest first, and filtered by status', async () => {
  const [first, second] = [await createWithdrawal(), await createWithdrawal()]
  await expectSuccess(callWithdrawal(first.id, 'cancel'))
  const list = async (query: string) => (await tradepost.get(`/account/withdrawals?${query}`)).json
  const { withdrawals, pagination } = await list('limit=2')
  expect(withdrawals.map(({ id }: Json) => id)).toEqual([second.id, first.id])
  expect(pagination).toMatchObject({ limit: 2, offset: 0, has_more: true })
  const endedWithdrawals = (await list('status=cancelled,failed&limit=100')).withdrawals
  expect(endedWithdrawals.map(({ id }: Json) => id)).toContain(first.id)
  for (const { status } of endedWithdrawals) expect(['cancelled', 'failed']).toContain(status)
  expect((await tradepost.get('/account/withdrawals?status=sent')).json.details.field).toBe(
    'status',
  )
})

test("the times of a withdrawal are those of the store's clock", async () => {
  const clockedStore = await openStoreWithClock()
  const { tradepost: clockedTradepost, as, advance } = clockedStore
  const { id } = await product(clockedTradepost, { type: 'service', price_cents: 10_000 }, as)
  await order(clockedTradepost, id, { mark_paid: true }, as)
  const requestedAt = await advance('3d')
  const newWithdrawal = (await clockedTradepost.post('/account/withdrawals', REQUEST, as)).json
    .withdrawal
  expect(newWithdrawal.created_at).toBe(requestedAt)
  const completedAt = await advance('2d')
  const path = `/account/withdrawals/${newWithdrawal.id}/complete`
  const { withdrawal } = (await clockedTradepost.post(path, { reference: 'T' }, as)).json
  expect(withdrawal.completed_at).toBe(completedAt)
  await clockedStore.expectNoFindings()
  await clockedTradepost.close()
})
