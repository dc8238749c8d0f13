import { z } from 'zod'
import { inTransaction } from '../../../../db/database.ts'
import { randomText } from '../../../../kernel/ids.ts'
import type { StoreContext } from '../../../../store-context.ts'
import type {
  PaymentRef,
  Provider,
  ProviderCharge,
  ProviderRecord,
  RefundRecord,
  RefundRef,
} from '../provider.ts'
import { readTestCallback } from './callbacks.ts'
import * as q from './queries.ts'

/** The characters of the token in the address of a payment page: 190 bits. */
const TOKEN_LENGTH = 32

/**
 * The payment provider of test sides. Its records are in a table of its own, and payments are told about them in the
 * way of all providers: by signed callbacks, and by questions.
 */
export const testProvider: Provider = {
  name: 'test',
  method: 'test',
  isOffered: ({ livemode }) => !livemode,

  async checkCredentials(_context, read) {
    read(z.strictObject({}))
    return { account: null, credentials: null }
  },

  probe: async () => ({ state: 'works', provider_ms: null }),

  /** It carries every amount. */
  checkAmount() {},

  async create({ db, store, publicUrl, now }, session) {
    const { token, expires_at } = await q.insertTestPayment(db, {
      store_id: store.id,
      payment_id: session.id,
      token: randomText(TOKEN_LENGTH),
      amount_cents: session.amount_cents,
      currency: session.currency,
      return_url: session.return_url,
      expires_at: session.expires_at,
      now,
    })
    const checkout_url = `${publicUrl}/t/${store.slug}/pay/${token}`
    return { external_id: `test_${session.id}`, checkout_url, expires_at }
  },

  read,

  async end(context, payment) {
    const { db, store, now } = context
    const { id: payment_id, amount_cents, currency } = payment
    const token = randomText(TOKEN_LENGTH)
    await q.endTestPayment(db, {
      store_id: store.id,
      payment_id,
      token,
      amount_cents,
      currency,
      now,
    })
    return read(context, payment)
  },

  chargeSaved,

  async deleteMethod() {},

  refund,

  readCallback: async (context, request) => readTestCallback(context, request),
}

const TOO_LARGE = {
  code: 'amount_too_large',
  message: 'The payment holds less than this at the test provider.',
}
const FAILURE = { code: 'declined', message: 'The test provider declined the payment.' }

/** Every saved method of the provider is this card, which pays whatever it is charged. */
const CARD = { label: 'Test card', last4: '4242', expires: '2099-12', provider_customer: null }

async function chargeSaved(context: StoreContext, payment: PaymentRef): Promise<ProviderCharge> {
  const { store, now } = context
  const { id: payment_id, amount_cents, currency } = payment
  const token = randomText(TOKEN_LENGTH)
  const row = { store_id: store.id, payment_id, token, amount_cents, currency, now }
  await inTransaction(context.db, async (tx) => {
    await q.insertTestPayment(tx, { ...row, return_url: null, expires_at: now })
    await q.updateTestPayment(tx, row, { status: 'paid', received_cents: amount_cents })
  })
  return { external_id: `test_${payment_id}`, record: await read(context, payment) }
}

async function read(
  { db, store, now }: StoreContext,
  { id, saves_method }: PaymentRef,
): Promise<ProviderRecord> {
  const payment = await q.selectTestPayment(db, store.id, id, now)
  // Its page is being opened, or the process was killed before that.
  if (!payment) return { status: 'open' }
  const { status, received_cents, dispute } = payment
  if (status === 'paid') {
    const refunds = await q.selectTestRefunds(db, store.id, id)
    const saved_method = saves_method ? { ...CARD, external_id: `test_card_${id}` } : undefined
    return { status, amount_cents: received_cents, refunds, dispute, saved_method }
  }
  return status === 'failed' ? { status, failure: FAILURE } : { status }
}

/** Refuses a refund of more than the payment still holds, as real providers do. */
function refund(
  { db, store, now }: StoreContext,
  { id: refund_id, amount_cents, payment: { id: payment_id } }: RefundRef,
): Promise<RefundRecord> {
  return inTransaction(db, async (tx) => {
    const payment = await q.lockTestPayment(tx, store.id, payment_id, now)
    const earlierId = await q.selectTestRefund(tx, store.id, refund_id)
    if (earlierId) return { status: 'succeeded', external_id: earlierId }
    const refundedCents = await q.selectRefundedCents(tx, store.id, payment_id)
    const left = payment?.status === 'paid' ? payment.received_cents - refundedCents : 0
    if (amount_cents > left) return { status: 'failed', external_id: null, failure: TOO_LARGE }
    const row = { payment_id, refund_id, amount_cents, now }
    return { status: 'succeeded', external_id: await q.insertTestRefund(tx, store.id, row) }
  })
}
