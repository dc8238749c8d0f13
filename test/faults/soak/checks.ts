import { timeLimit } from '../../clock.ts'
import type { Json } from '../../harness.ts'
import { elapse } from '../../until.ts'
import type { Api } from './api.ts'
import type { Sales } from './load.ts'
import type { Program } from './program.ts'
import type { SoakReceiver } from './receiver.ts'
import type { SoakRecord } from './record.ts'

interface CheckTools {
  api: Api
  record: SoakRecord
  program: Program
  receiver: SoakReceiver
  sales: Sales
}

const PAGE_SIZE = 100
/** The lease of a killed worker lasts 30 s, and a busy machine needs more time for the deliveries. */
const DELIVERY_TIMEOUT_MS = 180_000
const POLL_MS = 2_000
const RESEND_AFTER_MS = 4_000

/** Checks the final state after the load and all faults. */
export async function checkFinalState(tools: CheckTools): Promise<void> {
  const orders = await listAll(tools.api, '/v1/orders?sort=created_at', 'orders')
  tools.record.add('orders found', orders.length)
  checkOrders(tools, orders)
  await checkPayments(tools, orders)
  await checkStock(tools)
  await checkEvents(tools, orders)
  await checkDoctor(tools)
}

async function listAll(api: Api, path: string, list: string): Promise<Json[]> {
  const records: Json[] = []
  const separator = path.includes('?') ? '&' : '?'
  for (;;) {
    const page = `${path}${separator}limit=${PAGE_SIZE}&offset=${records.length}`
    const items = (await api.request('GET', page))[list]
    records.push(...items)
    if (items.length < PAGE_SIZE) return records
  }
}

/** The statuses that an order may have, by its last acknowledged status. A later call may have lost its answer. */
const POSSIBLE_STATUSES: Record<string, string[]> = {
  pending: ['pending', 'expired', 'cancelled', 'completed', 'refunded'],
  completed: ['completed', 'refunded'],
}

function checkOrders({ record, sales }: CheckTools, orders: Json[]) {
  const statusById = new Map(orders.map(({ id, status }) => [id, status]))
  for (const [id, acknowledged] of sales.orders) {
    const status = statusById.get(id)
    if (!(POSSIBLE_STATUSES[acknowledged] ?? [acknowledged]).includes(status)) {
      record.problem('orders', `${id} was acknowledged as ${acknowledged} and is ${status}.`)
    }
  }
  const visits = orders.map(({ metadata }) => metadata.visit)
  if (new Set(visits).size !== visits.length) record.problem('orders', 'A call created two orders.')
}

async function checkPayments({ api, record }: CheckTools, orders: Json[]) {
  for (const { id, total_cents, paid_cents } of orders) {
    if (paid_cents > total_cents) {
      record.problem('payments', `${id} costs ${total_cents} and was paid ${paid_cents}.`)
    }
  }
  const paidOrders = orders.filter(({ paid_cents }) => paid_cents > 0)
  for (const { id, total_cents } of paidOrders) {
    const { payments } = await api.request('GET', `/v1/orders/${id}/payments`)
    const approved = payments.filter(({ status }: Json) => status === 'approved')
    const sum = approved.reduce((cents: number, { amount_cents }: Json) => cents + amount_cents, 0)
    if (sum !== total_cents) {
      const statuses = payments.map(({ status }: Json) => status)
      record.problem('payments', `${id}: ${sum} of ${total_cents} cents paid (${statuses}).`)
    }
  }
}

async function checkStock({ api, record, sales }: CheckTools) {
  const soldKeys = new Set<string>()
  for (const { product, variant, keys: addedKeys } of sales.offers) {
    const path = `/v1/products/${product}/variants/${variant}/keys?reveal=true`
    const keys = await listAll(api, path, 'keys')
    if (keys.length > addedKeys.size) record.problem('stock', `${product} has more keys.`)
    for (const { value, status } of keys) {
      if (!addedKeys.has(value)) record.problem('stock', `${value} was never added.`)
      if (status !== 'sold') continue
      if (soldKeys.has(value)) record.problem('stock', `${value} was sold twice.`)
      soldKeys.add(value)
    }
  }
  record.add('keys sold', soldKeys.size)
}

/** The event that every order must have emitted in addition to `order.created`, by its status. */
const EVENT_BY_STATUS: Record<string, string> = {
  completed: 'order.completed',
  refunded: 'order.completed',
  cancelled: 'order.cancelled',
}

/** Checks that the receiver has accepted every event of the delivery log, and the events of every order. */
async function checkEvents(tools: CheckTools, orders: Json[]) {
  const { api, record, receiver } = tools
  receiver.mode = 'healthy'
  const expected = orders.flatMap(({ id, status }) => [
    `order.created ${id}`,
    ...(EVENT_BY_STATUS[status] ? [`${EVENT_BY_STATUS[status]} ${id}`] : []),
  ])
  const findMissing = async () => {
    const deliveries = await listAll(api, '/v1/events/deliveries', 'deliveries')
    const accepted = new Set(receiver.accepted.values())
    return [
      ...deliveries.filter(({ event }) => !receiver.accepted.has(event.id)).map(describeDelivery),
      ...expected.filter((event) => !accepted.has(event)),
    ]
  }
  const isOver = timeLimit(DELIVERY_TIMEOUT_MS)
  let isResendDue = timeLimit(RESEND_AFTER_MS)
  let missing = await findMissing()
  while (missing.length > 0 && !isOver()) {
    // The schedule would retry failed deliveries up to 12 hours later.
    if (isResendDue()) {
      await resend(tools)
      isResendDue = timeLimit(RESEND_AFTER_MS)
    }
    await elapse(POLL_MS)
    missing = await findMissing()
  }
  for (const event of missing) record.problem('events', `${missing.length} are missing: ${event}`)
  record.add('events accepted', receiver.accepted.size)
}

const describeDelivery = ({ id, status, attempts, event, next_attempt_at, last_error }: Json) =>
  `delivery ${id} ${event.type} ${status}, ${attempts} attempts, next ${next_attempt_at}, ${last_error}`

async function resend({ program, record }: CheckTools) {
  const command = ['webhooks', 'resend', '--store', program.store, '--failed-since', '4h', '--json']
  const { code, stdout, stderr } = await program.installation.run(command)
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
