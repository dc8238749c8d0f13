import { order, product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Ask, Prepare } from './ask.ts'

// Walks of the endpoints of the account.

const WITHDRAWAL = { amount_cents: 100, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

async function money(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await product(tradepost, { type: 'service', price_cents: 100_000 }, options)
  return order(tradepost, id, { mark_paid: true }, options)
}

export async function aWithdrawal(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await money(tradepost, options)
  const { status, json } = await tradepost.post('/account/withdrawals', WITHDRAWAL, options)
  if (status !== 201) throw new Error(`No withdrawal: ${JSON.stringify(json)}`)
  return json.withdrawal
}

const onWithdrawal =
  (ask: Ask = {}): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await aWithdrawal(tradepost, options)).id },
    ...ask,
  })

export const accountWalks: Record<string, Prepare> = {
  'account.get_settings': async () => ({}),
  'account.update_settings': async () => ({ body: { return_window_days: 30 } }),
  'account.list_outbox': async (tradepost, options) => {
    const { id } = await product(tradepost, {}, { keys: ['WALK-HHHH-IIII-0001'], ...options })
    const sold = await order(tradepost, id, { mark_paid: true }, options)
    await tradepost.post(`/orders/${sold.id}/deliveries/resend`, undefined, options)
    return {}
  },
  'account.get_wallet': async (tradepost, options) => {
    await money(tradepost, options)
    return {}
  },
  'account.list_ledger': async (tradepost, options) => {
    await aWithdrawal(tradepost, options)
    return {}
  },
  'account.list_withdrawals': async (tradepost, options) => {
    await aWithdrawal(tradepost, options)
    return {}
  },
  'account.create_withdrawal': async (tradepost, options) => {
    await money(tradepost, options)
    return { body: WITHDRAWAL }
  },
  'account.get_withdrawal': onWithdrawal(),
  'account.complete_withdrawal': onWithdrawal({ body: { reference: 'Transfer 4712' } }),
  'account.fail_withdrawal': onWithdrawal({ body: { reason: 'The bank refused it.' } }),
  'account.cancel_withdrawal': onWithdrawal(),
}
