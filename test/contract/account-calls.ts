import { order, product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { CallInput, Prepare } from './call-input.ts'

// Prepared calls of the endpoints of the account.

const WITHDRAWAL = { amount_cents: 100, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

async function createPaidOrder(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await product(tradepost, { type: 'service', price_cents: 100_000 }, options)
  return order(tradepost, id, { mark_paid: true }, options)
}

export async function createWithdrawal(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await createPaidOrder(tradepost, options)
  const { status, json } = await tradepost.post('/account/withdrawals', WITHDRAWAL, options)
  if (status !== 201) throw new Error(`No withdrawal: ${JSON.stringify(json)}`)
  return json.withdrawal
}

const withWithdrawal =
  (input: CallInput = {}): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await createWithdrawal(tradepost, options)).id },
    ...input,
  })

/** Each call sets another value, because a present value is no change (decision 391). */
let days = 14
function nextDays(): number {
  days = days === 30 ? 29 : 30
  return days
}

let number = 0
function nextNumber(): number {
  number += 1
  return number
}

const TEXT_KEY = { template: 'order_paid', language: 'de' }

export const accountCalls: Record<string, Prepare> = {
  'account.list_calls': async () => ({}),
  'account.get_settings': async () => ({}),
  'account.update_settings': async () => ({ body: { return_window_days: nextDays() } }),
  'account.list_outbox': async (tradepost, options) => {
    const { id } = await product(tradepost, {}, { keys: ['WALK-HHHH-IIII-0001'], ...options })
    const paidOrder = await order(tradepost, id, { mark_paid: true }, options)
    await tradepost.post(`/orders/${paidOrder.id}/deliveries/resend`, undefined, options)
    return { query: { order_id: paidOrder.id } }
  },
  'account.list_mail_templates': async () => ({}),
  'account.replace_mail_template': async () => ({
    params: TEXT_KEY,
    body: { subject: `Order {{order_number}} ${nextNumber()}`, body_text: 'Thank you. {{items}}' },
  }),
  'account.restore_mail_template': async (tradepost, options) => {
    const text = { subject: 'Thank you', body_text: 'Thank you.' }
    await tradepost.put('/account/mail-templates/order_paid/de', text, options)
    return { params: TEXT_KEY }
  },
  'account.preview_mail_template': async () => ({ params: TEXT_KEY, body: {} }),
  'account.test_mail_template': async () => ({
    params: TEXT_KEY,
    body: { to: 'test@example.com' },
  }),
  'account.get_wallet': async (tradepost, options) => {
    await createPaidOrder(tradepost, options)
    return {}
  },
  'account.list_ledger': async (tradepost, options) => {
    await createWithdrawal(tradepost, options)
    return {}
  },
  'account.list_withdrawals': async (tradepost, options) => {
    await createWithdrawal(tradepost, options)
    return {}
  },
  'account.create_withdrawal': async (tradepost, options) => {
    await createPaidOrder(tradepost, options)
    return { body: WITHDRAWAL }
  },
  'account.get_withdrawal': withWithdrawal(),
  'account.process_withdrawal': withWithdrawal({ body: { reference: 'Transfer 4712' } }),
  'account.complete_withdrawal': withWithdrawal({ body: { reference: 'Transfer 4712' } }),
  'account.fail_withdrawal': withWithdrawal({ body: { reason: 'The bank refused it.' } }),
  'account.cancel_withdrawal': withWithdrawal(),
}
