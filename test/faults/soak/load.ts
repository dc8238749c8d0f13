import { randomUUID } from 'node:crypto'
import type { Chance } from '../../chance.mjs'
import type { Json } from '../../harness.ts'
import { elapse } from '../../until.ts'
import type { Api } from './api.ts'
import type { SoakRecord } from './record.ts'

/** A product with its stock keys. */
interface Offer {
  product: string
  variant: number
  keys: ReadonlySet<string>
}

/** The records that the API has acknowledged. */
export interface Sales {
  offers: Offer[]
  /** The last acknowledged status by order id. */
  orders: Map<string, string>
}

export interface LoadTools {
  api: Api
  record: SoakRecord
  chance: Chance
}

const KEYS_PER_OFFER = 80
const ORDERS_MAX = 20_000
const PAUSE_MS = 40

/** Creates a product with stock keys. Buyers buy the newest product, until it is sold out. */
export async function createOffer({ api, record }: LoadTools, sales: Sales): Promise<void> {
  const fields = { name: `Game ${sales.offers.length}`, price_cents: 500 }
  const { product, variants } = await api.request('POST', '/v1/products', fields)
  const prefix = randomUUID().slice(0, 8)
  const keys = Array.from({ length: KEYS_PER_OFFER }, (_, number) => `${prefix}-${number}`)
  const variant = variants[0].id
  const offer = { product: product.id, variant, keys: new Set(keys) }
  sales.offers.push(offer)
  await api.request('POST', `/v1/products/${product.id}/variants/${variant}/keys`, { keys })
  record.add('products')
}

/** Creates orders and pays, cancels or refunds them, until the load is over. */
export async function buy(tools: LoadTools, sales: Sales, name: string): Promise<void> {
  const { api, record, chance } = tools
  while (!api.isStopped && sales.orders.size < ORDERS_MAX) {
    await elapse(chance() * PAUSE_MS)
    const offer = sales.offers.at(-1)
    const body = {
      items: [{ product_id: offer?.product, quantity: 1 + chance.below(2) }],
      customer: { email: `${name}@example.com` },
      metadata: { visit: randomUUID() },
      ...(chance() < 0.1 && { mark_paid: true }),
    }
    const reply = await api.send('POST', '/v1/orders', body)
    if (!reply) return
    if (reply.status !== 201) {
      record.add('refused orders')
      // The first buyer who is refused creates the next product.
      if (reply.json.code === 'OUT_OF_STOCK' && offer === sales.offers.at(-1)) {
        await createOffer(tools, sales).catch(() => undefined)
      }
      continue
    }
    recordOrder(sales, reply.json.order)
    record.add('orders')
    if (reply.json.order.status === 'pending') await payOrCancel(tools, sales, reply.json.order.id)
  }
}

async function payOrCancel(tools: LoadTools, sales: Sales, id: string): Promise<void> {
  const { api, record, chance } = tools
  const draw = chance()
  if (draw < 0.15) {
    const reply = await api.send('POST', `/v1/orders/${id}/cancel`, { reason: 'changed my mind' })
    if (reply?.status === 200) recordOrder(sales, reply.json.order)
    record.add('cancelled')
  } else if (draw < 0.85) {
    await pay(tools, sales, id)
    if (chance() < 0.15) await refund(tools, id)
  }
}

/** Pays an order. One order in four gets two concurrent payments, of which only one may be accepted. */
async function pay({ api, record, chance }: LoadTools, sales: Sales, id: string) {
  const path = `/v1/orders/${id}/manual-payments`
  const count = chance() < 0.25 ? 2 : 1
  const payments = Array.from({ length: count }, () => api.send('POST', path, {}))
  const accepted = (await Promise.all(payments)).filter((reply) => reply?.status === 201)
  if (accepted.length > 1) record.problem('payments', `${id} was paid ${accepted.length} times.`)
  for (const reply of accepted) recordOrder(sales, reply?.json.order)
  record.add('payments', accepted.length)
}

async function refund({ api, record, chance }: LoadTools, id: string) {
  const body = chance() < 0.5 ? { amount_cents: 100 } : {}
  const reply = await api.send('POST', `/v1/orders/${id}/refund`, body)
  if (reply && reply.status < 300) record.add('refunds')
}

function recordOrder(sales: Sales, order: Json) {
  if (order?.id) sales.orders.set(order.id, order.status)
}

const LISTS = [
  '/v1/orders?limit=50',
  '/v1/orders?status=completed&limit=100',
  '/v1/products?limit=50',
  '/v1/products?search=Game',
  '/v1/events/deliveries?limit=50',
  '/v1/account',
  '/v1/account/audit-events?limit=50',
  '/v1/webhooks',
]

export async function readLists({ api, record, chance }: LoadTools): Promise<void> {
  while (!api.isStopped) {
    const reply = await api.attempt({ method: 'GET', path: chance.pick(LISTS) })
    if (reply && reply.status === 200) record.add('lists')
    await elapse(PAUSE_MS + chance() * 2 * PAUSE_MS)
  }
}

const FILE_MAX_BYTES = 200_000
const FILES_MAX = 400

export async function upload({ api, record, chance }: LoadTools, sales: Sales): Promise<void> {
  for (let count = 0; !api.isStopped && count < FILES_MAX; count++) {
    const bytes = Buffer.alloc(1 + chance.below(FILE_MAX_BYTES), `file ${count} `)
    const body = {
      name: `file-${count}.bin`,
      mime_type: 'application/octet-stream',
      content_base64: bytes.toString('base64'),
    }
    const product = sales.offers.at(-1)?.product
    const reply = await api.send('POST', `/v1/products/${product}/files`, body)
    record.add(reply?.status === 201 ? 'uploads' : 'refused uploads')
    await elapse(500 + chance() * 1_500)
  }
}
