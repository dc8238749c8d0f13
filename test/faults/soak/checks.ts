import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../harness.ts'
import type { Api } from './api.ts'
import type { Offer, Sales } from './load.ts'
import type { Program } from './program.ts'
import type { SoakReceiver } from './receiver.ts'
import type { SoakRecord } from './record.ts'

export interface CheckTools {
  api: Api
  record: SoakRecord
  program: Program
  receiver: SoakReceiver
  sales: Sales
}

const PAGE = 100
/** The lease of a worker that was killed is 30 s; a busy machine needs longer for the rest. */
const DELIVERED_MAX_MS = 180_000
const LOOK_MS = 2_000
const RESEND_AFTER_MS = 4_000

/** Checks the final state when the load is over and all faults are gone. */
export async function checkEverything(tools: CheckTools): Promise<void> {
  const orders = await walk(tools.api, '/v1/orders?sort=created_at', 'orders')
  tools.record.add('orders found', orders.length)
  checkOrders(tools, orders)
  await checkPayments(tools, orders)
  await checkStock(tools)
  await checkEvents(tools, orders)
  await checkDoctor(tools)
}

async function walk(api: Api, path: string, list: string): Promise<Json[]> {
  const found: Json[] = []
  const join = path.includes('?') ? '&' : '?'
  for (;;) {
    const page = `${path}${join}limit=${PAGE}&offset=${found.length}`
    const items = (await api.ask('GET', page))[list]
    found.push(...items)
    if (items.length < PAGE) return found
  }
}

/** The statuses that an order may have after an acknowledged one: answers may have been lost. */
const LATER: Record<string, string[]> = {
  pending: ['pending', 'expired', 'cancelled', 'completed', 'refunded'],
  completed: ['completed', 'refunded'],
}

function checkOrders({ record, sales }: CheckTools, orders: Json[]) {
  const found = new Map(orders.map(({ id, status }) => [id, status]))
  for (const [id, status] of sales.orders) {
    const now = found.get(id)
    const isKept = (LATER[status] ?? [status]).includes(now)
    if (!isKept) record.problem('orders', `${id} was acknowledged as ${status} and is ${now}.`)
  }
  const visits = orders.map(({ metadata }) => metadata.visit)
  if (new Set(visits).size !== visits.length) record.problem('orders', 'A call made two orders.')
}

async function checkPayments({ api, record }: CheckTools, orders: Json[]) {
  for (const { id, total_cents, paid_cents } of orders) {
    if (paid_cents > total_cents) {
      record.problem('payments', `${id} costs ${total_cents} and was paid ${paid_cents}.`)
    }
  }
  const paid = orders.filter(({ paid_cents }) => paid_cents > 0)
  for (const { id, total_cents } of paid) {
    const { payments } = await api.ask('GET', `/v1/orders/${id}/payments`)
    const taken = payments.filter(({ status }: Json) => status === 'approved')
    const sum = taken.reduce((cents: number, { amount_cents }: Json) => cents + amount_cents, 0)
    if (sum !== total_cents) {
      const statuses = payments.map(({ status }: Json) => status)
      record.problem('payments', `${id}: ${sum} of ${total_cents} cents paid (${statuses}).`)
    }
  }
}

async function checkStock({ api, record, sales }: CheckTools) {
  const sold = new Map<string, string>()
  for (const offer of sales.offers) {
    const path = `/v1/products/${offer.product}/variants/${offer.variant}/keys?reveal=true`
    const keys = await walk(api, path, 'keys')
    if (keys.length > offer.keys.size) record.problem('stock', `${offer.product} has more keys.`)
    for (const key of keys) checkKey(record, { sold, offer, key })
  }
  record.add('keys sold', sold.size)
}

function checkKey(record: SoakRecord, at: { sold: Map<string, string>; offer: Offer; key: Json }) {
  const { sold, offer, key } = at
  if (!offer.keys.has(key.value)) record.problem('stock', `${key.value} was never added.`)
  if (key.status !== 'sold') return
  if (sold.has(key.value)) record.problem('stock', `${key.value} was sold twice.`)
  sold.set(key.value, key.order_id)
}

/** The event that every order must have emitted, by its status. */
const TOLD: Record<string, string> = {
  completed: 'order.completed',
  refunded: 'order.completed',
  cancelled: 'order.cancelled',
}

/** Compares the delivery log, and the orders themselves, with what the receiver accepted. */
async function checkEvents(tools: CheckTools, orders: Json[]) {
  const { api, record, receiver } = tools
  receiver.mood = 'well'
  const expected = orders.flatMap(({ id, status }) => [
    `order.created ${id}`,
    ...(TOLD[status] ? [`${TOLD[status]} ${id}`] : []),
  ])
  const until = Date.now() + DELIVERED_MAX_MS
  let resend_at = Date.now() + RESEND_AFTER_MS
  let missing: string[] = []
  for (;;) {
    const deliveries = await walk(api, '/v1/events/deliveries', 'deliveries')
    const received = new Set(receiver.accepted.values())
    missing = [
      ...deliveries.filter(({ event }) => !receiver.accepted.has(event.id)).map(describeDelivery),
      ...expected.filter((one) => !received.has(one)),
    ]
    if (missing.length === 0) break
    if (Date.now() > until) break
    // Failed deliveries would be retried automatically, but up to 12 hours later.
    if (Date.now() > resend_at) {
      await resend(tools)
      resend_at = Date.now() + RESEND_AFTER_MS
    }
    await pause(LOOK_MS)
  }
  for (const one of missing) record.problem('events', `${missing.length} are missing: ${one}`)
  record.add('events accepted', receiver.accepted.size)
}

const describeDelivery = ({ id, status, attempts, event, next_attempt_at, last_error }: Json) =>
  `delivery ${id} ${event.type} ${status}, ${attempts} attempts, next ${next_attempt_at}, ${last_error}`

async function resend({ program, record }: CheckTools) {
  const options = ['--store', program.store, '--failed-since', '4h', '--json']
  const { code, stdout, stderr } = await program.installation.run([
    'webhooks',
    'resend',
    ...options,
  ])
  if (code !== 0) record.problem('events', `webhooks resend: ${code} ${stderr}`)
  else record.add('resent', JSON.parse(stdout).resent)
}

async function checkDoctor({ program, record }: CheckTools) {
  const { code, stdout, stderr } = await program.installation.run(['doctor', '--json'])
  if (code === 0) return
  record.problem('doctor', `exit code ${code}: ${stderr}`)
  for (const finding of JSON.parse(stdout || '{"findings":[]}').findings) {
    if (!finding.ok) record.problem('doctor', `${finding.check}: ${finding.detail}`)
  }
}
