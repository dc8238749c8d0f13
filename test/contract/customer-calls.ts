import { order } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './call-input.ts'
import { createServiceProduct } from './catalogue-calls.ts'

// Prepared calls of customers, their balance and the blocklist.

let count = 0

async function createCustomer(
  tradepost: Tradepost,
  { as }: CallOptions = {},
  fields: Json = {},
): Promise<Json> {
  const body = { email: `prepared-${++count}@example.com`, ...fields }
  const { status, json } = await tradepost.post('/customers', body, as && { as })
  if (status !== 201) throw new Error(`No customer: ${JSON.stringify(json)}`)
  return json.customer
}

export async function createBlocklistEntry(
  tradepost: Tradepost,
  options: CallOptions = {},
): Promise<Json> {
  const body = { type: 'email', value: `prepared-${++count}@example.com` }
  const { status, json } = await tradepost.post('/blocklist', body, options)
  if (status !== 201) throw new Error(`No blocklist entry: ${JSON.stringify(json)}`)
  return json.blocklist_entry
}

const prepareCustomer: Prepare = async (tradepost, options) => ({
  params: { id: (await createCustomer(tradepost, options)).id },
})

const prepareBlocklistEntry: Prepare = async (tradepost, options) => ({
  params: { id: (await createBlocklistEntry(tradepost, options)).id },
})

export const customerCalls: Record<string, Prepare> = {
  'customers.list': async (tradepost, options) => {
    await createCustomer(tradepost, options)
    return {}
  },
  'customers.create': async () => ({
    body: { email: `prepared-${++count}@example.com`, name: 'Ada' },
  }),
  'customers.get': prepareCustomer,
  'customers.update': async (tradepost, options) => ({
    ...(await prepareCustomer(tradepost, options)),
    body: { note: 'Prefers to be called.', tags: ['vip'] },
  }),
  'customers.change_balance': async (tradepost, options) => ({
    ...(await prepareCustomer(tradepost, options)),
    body: { amount_cents: 500, reason: 'A gift.' },
  }),
  'customers.list_balance_entries': async (tradepost, options) => {
    const { params = {} } = await prepareCustomer(tradepost, options)
    const gift = { amount_cents: 500, reason: 'A gift.' }
    await tradepost.post(`/customers/${params.id}/balance`, gift, options)
    return { params }
  },
  'customers.list_orders': async (tradepost, options) => {
    const { id } = await createServiceProduct(tradepost, options)
    const { customer } = await order(tradepost, id, {}, options)
    return { params: { id: customer.id } }
  },
  'customers.merge': async (tradepost, options) => ({
    ...(await prepareCustomer(tradepost, options)),
    body: { into: (await createCustomer(tradepost, options)).id },
  }),
  'customers.export': prepareCustomer,
  'customers.erase': prepareCustomer,
  'customers.block': prepareCustomer,
  'customers.unblock': async (tradepost, options) => {
    const input = await prepareCustomer(tradepost, options)
    await tradepost.post(`/customers/${input.params?.id}/block`, {}, options)
    return input
  },
  'orders.add_balance_payment': async (tradepost, options) => {
    const { id } = await createServiceProduct(tradepost, options)
    const unpaidOrder = await order(tradepost, id, {}, options)
    const credit = { amount_cents: 500, reason: 'A gift.' }
    await tradepost.post(`/customers/${unpaidOrder.customer.id}/balance`, credit, options)
    return { params: { id: unpaidOrder.id }, body: { amount_cents: 100 } }
  },
  'blocklist.list': async (tradepost, options) => {
    await createBlocklistEntry(tradepost, options)
    return {}
  },
  'blocklist.create': async () => ({
    body: { type: 'email', value: `prepared-${++count}@example.com`, reason: 'Fraud.' },
  }),
  'blocklist.get': prepareBlocklistEntry,
  'blocklist.update': async (tradepost, options) => ({
    ...(await prepareBlocklistEntry(tradepost, options)),
    body: { reason: 'Chargebacks.' },
  }),
  'blocklist.delete': prepareBlocklistEntry,
}
