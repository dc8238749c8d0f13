import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { call, insist, type Reply, type Target } from '../process/client.ts'

/** A call that may have been done: the server was gone before it answered. */
export interface Unanswered {
  path: string
  body: unknown
  key: string
}

/** The state of an order when it was last acknowledged. */
export interface Acknowledged {
  status: 'pending' | 'completed'
  keys: string[]
}

/** Customers who buy without end, and remember their answers. */
export interface Clients {
  /** By order id. */
  orders: ReadonlyMap<string, Acknowledged>
  unanswered: Unanswered[]
  /** Answers that no customer should get. */
  faults: string[]
  /** Begins, through this door, until `stop`. */
  start(target: Target): void
  /** Returns when so many answers more have come, which a busy machine takes its time for. */
  busy(answers: number): Promise<void>
  /** Returns when every running call has its answer, or has lost its server. */
  stop(): Promise<void>
  /** Repeats the unanswered calls, twice each, and remembers their answers. */
  repeat(target: Target): Promise<void>
}

const CLIENTS = 6
const BUSY_MAX_MS = 20_000

export function createClients(productId: string): Clients {
  const orders = new Map<string, Acknowledged>()
  const unanswered: Unanswered[] = []
  const faults: string[] = []
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false
  let answers = 0

  async function buyOn(target: Target, name: string): Promise<void> {
    while (!stopped) {
      const made = await send(target, '/orders', orderBody(name))
      const id = made?.status === 201 ? made.json.order.id : undefined
      if (id && Math.random() < 0.8) await send(target, `/orders/${id}/manual-payments`, {})
      if (made === undefined) return
    }
  }

  async function send(target: Target, path: string, body: unknown): Promise<Reply | undefined> {
    const key = randomUUID()
    try {
      const reply = await call(target, 'POST', path, { body, idempotencyKey: key })
      if (reply.status === 503) unanswered.push({ path, body, key })
      else remember(reply)
      return reply
    } catch {
      unanswered.push({ path, body, key })
      return undefined
    }
  }

  function remember({ status, json, text }: Reply) {
    answers++
    const { order } = json
    if (status !== 201 || !['pending', 'completed'].includes(order?.status)) {
      faults.push(`${status} ${text}`)
      return
    }
    const keys = order.deliveries.flatMap((item: { keys: string[] }) => item.keys)
    orders.set(order.id, { status: order.status, keys })
  }

  const orderBody = (name: string) => ({
    items: [{ product_id: productId, quantity: 1 }],
    customer: { email: `${name}@example.com` },
    metadata: { visit: randomUUID() },
  })

  return {
    orders,
    unanswered,
    faults,
    start(target) {
      stopped = false
      running = Promise.all(Array.from({ length: CLIENTS }, (_, n) => buyOn(target, `client-${n}`)))
    },
    async busy(more) {
      const until = Date.now() + BUSY_MAX_MS
      for (const goal = answers + more; answers < goal; ) {
        if (Date.now() > until) throw new Error(`${goal - answers} of ${more} answers are missing.`)
        await pause(5)
      }
    },
    async stop() {
      stopped = true
      await running
    },
    async repeat(target) {
      for (const { path, body, key } of unanswered.splice(0)) {
        const first = await insist(target, path, body, key)
        const second = await insist(target, path, body, key)
        if (first.text !== second.text)
          faults.push(`A repeat differs:\n${first.text}\n${second.text}`)
        remember(first)
      }
    },
  }
}
