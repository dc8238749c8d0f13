import { sql } from 'kysely'
import { order } from '../build.ts'
import type { CallOptions, Tradepost } from '../harness.ts'
import { simulate, startedOrder } from '../provider-payments.ts'
import type { CallInput, Prepare } from './call-input.ts'
import { createServiceProduct } from './catalogue-calls.ts'

// Prepared calls of payments through payment providers. Only the test side has a provider.

/** The endpoints that succeed only where a provider is connected. */
export const PROVIDER_ENDPOINTS = [
  'orders.start_payment',
  'orders.cancel_payment',
  'orders.refresh_payment',
  'orders.simulate_payment',
  'account.connect_payment_provider',
  'account.disconnect_payment_provider',
  'account.apply_payment_callback',
]

const prepareStarted: Prepare = async (tradepost, options) => {
  await connect(tradepost, options)
  const { payment } = await startedOrder(tradepost, {}, options)
  return { params: { id: payment.order_id, payment_id: payment.id } }
}

const connect = (tradepost: Tradepost, options: CallOptions) =>
  tradepost.put('/account/payment-providers/test', {}, options)

/** Creates a callback that was applied. */
const prepareCallback: Prepare = async (tradepost, options) => {
  await connect(tradepost, options)
  const { payment } = await startedOrder(tradepost, {}, options)
  await simulate(tradepost, payment, { do: 'pay' }, options)
  const path = `/account/payment-callbacks?order_id=${payment.order_id}`
  const { json } = await tradepost.get(path, options)
  return { params: { id: json.payment_callbacks[0].id } }
}

/** Ends all open payments, so that the provider can be disconnected. */
async function prepareDisconnection(
  tradepost: Tradepost,
  options: CallOptions,
): Promise<CallInput> {
  await connect(tradepost, options)
  await sql`
    update payment p set status = 'cancelled', check_at = null
      from store s
     where s.hash = ${options.as?.id} and p.store_id = s.id and p.status in ('pending', 'processing')`.execute(
    tradepost.db,
  )
  return { params: { provider: 'test' } }
}

async function prepareMethod(tradepost: Tradepost, options: CallOptions) {
  const { id } = await createServiceProduct(tradepost, options)
  const { customer } = await order(tradepost, id, {}, options)
  return {
    id: customer.id,
    payment_method_id: await createMethodRow(tradepost, options, customer.id),
  }
}

export const paymentCalls: Record<string, Prepare> = {
  'customers.list_payment_methods': async (tradepost, options) => {
    const { id } = await prepareMethod(tradepost, options)
    return { params: { id } }
  },
  'customers.delete_payment_method': async (tradepost, options) => ({
    params: await prepareMethod(tradepost, options),
  }),
  'orders.start_payment': async (tradepost, options) => {
    await connect(tradepost, options)
    const { id } = await createServiceProduct(tradepost, options)
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    }
    const { json } = await tradepost.post('/orders', body, options)
    return { params: { id: json.order.id }, body: { method: 'test' } }
  },
  'orders.cancel_payment': prepareStarted,
  'orders.refresh_payment': async (tradepost, options) => {
    const input = await prepareStarted(tradepost, options)
    const { id, payment_id } = input.params ?? {}
    const body = { do: 'pay', callback: 'never' }
    await simulate(tradepost, { order_id: id, id: payment_id }, body, options)
    return input
  },
  'orders.simulate_payment': async (tradepost, options) => ({
    ...(await prepareStarted(tradepost, options)),
    body: { do: 'pay' },
  }),
  'account.list_payment_providers': async () => ({}),
  'account.connect_payment_provider': async (tradepost, options) => {
    await prepareDisconnection(tradepost, options)
    await tradepost.delete('/account/payment-providers/test', options)
    return { params: { provider: 'test' }, body: {} }
  },
  'account.disconnect_payment_provider': prepareDisconnection,
  'account.list_payment_callbacks': async (tradepost, options) => {
    await createCallbackRows(tradepost, options)
    return {}
  },
  'account.apply_payment_callback': prepareCallback,
}

/** Creates a payment and a callback of a provider in the database, because the live side has no provider yet. */
export async function createCallbackRows(
  tradepost: Tradepost,
  { as = tradepost.live }: CallOptions,
  orderId: string | null = null,
): Promise<{ payment_id: number; callback_id: number }> {
  const { rows } = await sql<{ payment_id: number; callback_id: number }>`
    with payment as (
      insert into payment (store_id, order_id, kind, status, amount_cents, currency, provider, external_id,
                           refunded_cents, created_at)
      select s.id, o.id, 'card', 'failed', 1000, 'EUR', 'test', 'external', 0, now()
        from store s
        join "order" o on o.store_id = s.id
       where s.hash = ${as.id} and (${orderId}::text is null or o.id = ${orderId})
       limit 1
      returning store_id, order_id, id
    )
    insert into payment_callback
           (store_id, provider, external_id, type, status, names, order_id, payment_id, attempts,
            received_at, applied_at)
    select s.id, 'test', gen_random_uuid()::text, 'payment.paid', 'applied',
           '{"names_store": true, "payment_id": 1, "external_ids": []}', p.order_id, p.id, 1, now(), now()
      from store s
      left join payment p on true
     where s.hash = ${as.id}
    returning payment_id, id as callback_id`.execute(tradepost.db)
  const [row] = rows
  if (!row) throw new Error('The callback was not created.')
  return row
}

/** Creates a saved payment method in the database, because the live side has no provider yet. */
export async function createMethodRow(
  tradepost: Tradepost,
  { as = tradepost.live }: CallOptions,
  customerId: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into payment_method (store_id, customer_id, provider, external_id, label, is_default, created_at)
    select id, ${customerId}, 'test', gen_random_uuid()::text, 'Card', true, now() from store where hash = ${as.id}
    returning id`.execute(tradepost.db)
  return rows[0]?.id ?? 0
}
