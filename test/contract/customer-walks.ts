import { order } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './ask.ts'
import { aProduct } from './catalogue-walks.ts'

// Walks of customers, their balance and the blocklist.

let count = 0

export async function aCustomer(
  tradepost: Tradepost,
  { as }: CallOptions = {},
  fields: Json = {},
): Promise<Json> {
  const body = { email: `walk-${++count}@example.com`, ...fields }
  const { status, json } = await tradepost.post('/customers', body, as && { as })
  if (status !== 201) throw new Error(`No customer: ${JSON.stringify(json)}`)
  return json.customer
}

export async function aBlocklistEntry(
  tradepost: Tradepost,
  options: CallOptions = {},
): Promise<Json> {
  const body = { type: 'email', value: `walk-${++count}@example.com` }
  const { status, json } = await tradepost.post('/blocklist', body, options)
  if (status !== 201) throw new Error(`No blocklist entry: ${JSON.stringify(json)}`)
  return json.blocklist_entry
}

const ofCustomer: Prepare = async (tradepost, options) => ({
  params: { id: (await aCustomer(tradepost, options)).id },
})

const ofEntry: Prepare = async (tradepost, options) => ({
  params: { id: (await aBlocklistEntry(tradepost, options)).id },
})

export const customerWalks: Record<string, Prepare> = {
  'customers.list': async (tradepost, options) => {
    await aCustomer(tradepost, options)
    return {}
  },
  'customers.create': async () => ({ body: { email: `walk-${++count}@example.com`, name: 'Ada' } }),
  'customers.get': ofCustomer,
  'customers.update': async (tradepost, options) => ({
    ...(await ofCustomer(tradepost, options)),
    body: { note: 'Prefers to be called.', tags: ['vip'] },
  }),
  'customers.change_balance': async (tradepost, options) => ({
    ...(await ofCustomer(tradepost, options)),
    body: { amount_cents: 500, reason: 'A gift.' },
  }),
  'customers.list_balance_entries': ofCustomer,
  'customers.list_orders': ofCustomer,
  'customers.merge': async (tradepost, options) => ({
    ...(await ofCustomer(tradepost, options)),
    body: { into: (await aCustomer(tradepost, options)).id },
  }),
  'customers.export': ofCustomer,
  'customers.erase': ofCustomer,
  'customers.block': ofCustomer,
  'customers.unblock': ofCustomer,
  'orders.add_balance_payment': async (tradepost, options) => {
    const { id } = await aProduct(tradepost, options)
    const bought = await order(tradepost, id, {}, options)
    const credit = { amount_cents: 500, reason: 'A gift.' }
    await tradepost.post(`/customers/${bought.customer.id}/balance`, credit, options)
    return { params: { id: bought.id }, body: { amount_cents: 100 } }
  },
  'blocklist.list': async (tradepost, options) => {
    await aBlocklistEntry(tradepost, options)
    return {}
  },
  'blocklist.create': async () => ({
    body: { type: 'email', value: `walk-${++count}@example.com`, reason: 'Fraud.' },
  }),
  'blocklist.get': ofEntry,
  'blocklist.update': async (tradepost, options) => ({
    ...(await ofEntry(tradepost, options)),
    body: { reason: 'Chargebacks.' },
  }),
  'blocklist.delete': ofEntry,
}
