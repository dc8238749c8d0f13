import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import type { Answer, Json, Tradepost } from '../../../../test/harness.ts'
import { simulate, startPayment } from '../../../../test/provider-payments.ts'
import {
  openNextClocked,
  openStoreWithClock,
  type StoreWithClock,
} from '../../../../test/store-with-clock.ts'
import { applyCallbacksJob, checkPaymentsJob, expireOrdersJob, sendRefundsJob } from './index.ts'

// The N-th statement of a call fails, for every N. Then the call is repeated and the jobs run.

let first: StoreWithClock

beforeAll(async () => {
  first = await openStoreWithClock()
})
afterAll(() => first.tradepost.close())

const STATEMENTS_MAX = 120

interface Sale {
  tradepost: Tradepost
  as: StoreWithClock['as']
  order: Json
  payment?: Json
}

/** Runs every job until nothing is due. */
async function runJobs({ app, db }: Tradepost): Promise<void> {
  await sql`update payment set check_at = ${new Date(app.clock.now()).toISOString()}
             where check_at is not null`.execute(db)
  await sql`update refund_request set check_at = created_at where check_at is not null`.execute(db)
  for (const job of [applyCallbacksJob, checkPaymentsJob, sendRefundsJob, expireOrdersJob])
    while (await job.run(app));
}

/**
 * Makes each statement of an act fail in turn, each with a new order, then repeats the act and runs the jobs. Fails if an
 * invariant is broken, if money counts twice, or if `isRight` is false.
 */
async function expectNoHarm(
  { isStarted, isPaid = false }: { isStarted: boolean; isPaid?: boolean },
  act: (sale: Sale) => Promise<Answer>,
  isRight: (after: Json) => void,
): Promise<void> {
  const store = await openNextClocked(first)
  const { tradepost, as } = store
  const keys = keysNamed('FAULT', STATEMENTS_MAX)
  const { id } = await product(tradepost, {}, { ...as, keys })
  for (let n = 1; n <= STATEMENTS_MAX; n += 1) {
    const unpaid = await order(tradepost, id, {}, as)
    const payment = isStarted ? await startPayment(tradepost, unpaid.id, as) : undefined
    if (isPaid && payment) await simulate(tradepost, payment, { do: 'pay' }, as)
    const sale = { tradepost, as, order: unpaid, ...(payment && { payment }) }
    const { answer, failed } = await tradepost.failing(n, () => act(sale))
    if (failed && answer.status < 500) expect(answer.status).toBeLessThan(300)
    await act(sale)
    await runJobs(tradepost)
    const after = await store.getOrder(unpaid.id)
    isRight(after)
    expect(after.paid_cents).toBeLessThanOrEqual(1000)
    if (!failed) break
    expect(n, 'the act has fewer statements').toBeLessThan(STATEMENTS_MAX)
  }
  await store.expectNoFindings()
}

test('a start', async () => {
  await expectNoHarm(
    { isStarted: false },
    ({ tradepost, as, order: { id } }) =>
      tradepost.post(`/orders/${id}/payments`, { method: 'test' }, as),
    ({ payments }) => {
      const open = payments.filter(({ status }: Json) => status === 'pending')
      expect(open).toHaveLength(1)
      expect(open[0].checkout_url).not.toBeNull()
    },
  )
})

test('a payment with its callback', async () => {
  await expectNoHarm(
    { isStarted: true },
    ({ tradepost, as, payment }) => simulate(tradepost, payment, { do: 'pay' }, as),
    (after) => {
      expect(after).toMatchObject({ status: 'completed', paid_cents: 1000 })
      expect(after.deliveries[0].keys).toHaveLength(1)
    },
  )
})

test('a question to the provider', async () => {
  await expectNoHarm(
    { isStarted: true },
    async ({ tradepost, as, payment }) => {
      const paid = { do: 'pay', callback: 'never' }
      const { order_id, id } = payment
      await simulate(tradepost, payment, paid, as)
      return tradepost.post(`/orders/${order_id}/payments/${id}/refresh`, undefined, as)
    },
    (after) => expect(after).toMatchObject({ status: 'completed', paid_cents: 1000 }),
  )
})

test('a refund', async () => {
  await expectNoHarm(
    { isStarted: true, isPaid: true },
    ({ tradepost, as, order: { id } }) => {
      const key = { headers: { 'idempotency-key': `refund of ${id}` }, ...as }
      return tradepost.post(`/orders/${id}/refund`, { amount_cents: 600 }, key)
    },
    (after) => {
      expect(after).toMatchObject({ refunded_cents: 600, refund_status: 'partial' })
      expect(after.refunds).toMatchObject([{ status: 'succeeded', source: 'seller' }])
    },
  )
})

test('a dispute that is lost', async () => {
  await expectNoHarm(
    { isStarted: true, isPaid: true },
    async ({ tradepost, as, payment }) => {
      for (const action of ['dispute', 'lose'])
        await simulate(tradepost, payment, { do: action, callback: 'never' }, as)
      const { order_id, id } = payment
      return tradepost.post(`/orders/${order_id}/payments/${id}/refresh`, undefined, as)
    },
    (after) => {
      expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
      expect(after.refunds).toMatchObject([{ source: 'dispute', amount_cents: 1000 }])
    },
  )
})

test('a cancellation', async () => {
  await expectNoHarm(
    { isStarted: true },
    ({ tradepost, as, order: { id } }) => tradepost.post(`/orders/${id}/cancel`, undefined, as),
    ({ status, payments }) => {
      expect(status).toBe('cancelled')
      expect(payments[0].status).toBe('cancelled')
    },
  )
})

test('an expiry', async () => {
  await expectNoHarm(
    { isStarted: true },
    async ({ tradepost, order: { id } }) => {
      const expire = async () => {
        await sql`update "order" set expires_at = created_at where id = ${id}`.execute(tradepost.db)
        await expireOrdersJob.run(tradepost.app)
        await sql`delete from order_expiry_retry`.execute(tradepost.db)
      }
      await expire().catch(() => {})
      return { status: 200, json: {}, text: '', headers: {} }
    },
    ({ status, payments }) => {
      expect(status).toBe('expired')
      expect(['cancelled', 'expired']).toContain(payments[0].status)
    },
  )
})
