import { randomUUID } from 'node:crypto'
import { chanceOf } from '../chance.mjs'
import { call, postUntilAnswered, type Reply, type Target } from '../process/client.ts'
import { until } from '../until.ts'

/** A call without an answer, or with 503. The call may have taken effect. */
interface UnansweredCall {
  path: string
  body: unknown
  idempotencyKey: string
}

/** The state of an order in its last answer. */
interface AcknowledgedOrder {
  status: 'pending' | 'completed'
  keys: string[]
}

/** Customers who buy continuously. The answers to their calls are recorded. */
export interface Buyers {
  /** The acknowledged orders by id. */
  orders: ReadonlyMap<string, AcknowledgedOrder>
  unanswered: UnansweredCall[]
  /** Answers that no customer should get. */
  faults: string[]
  /** Lets the customers buy from this server until `stop`. */
  start(target: Target): void
  /** Resolves after this many further answers. */
  untilAnswered(count: number): Promise<void>
  /** Resolves when every running call was answered or has failed. */
  stop(): Promise<void>
  /** Repeats the unanswered calls, twice each, and records their answers. */
  repeat(target: Target): Promise<void>
}

const BUYERS = 6

export function createBuyers(productId: string): Buyers {
  const orders = new Map<string, AcknowledgedOrder>()
  const unanswered: UnansweredCall[] = []
  const faults: string[] = []
  const chance = chanceOf('buyers before a kill')
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let answers = 0

  async function buyUntilStopped(target: Target, name: string): Promise<void> {
    while (!isStopped) {
      const reply = await send(target, '/orders', orderBody(name))
      if (!reply) return
      const { status, json } = reply
      if (status === 201 && chance() < 0.8)
        await send(target, `/orders/${json.order.id}/manual-payments`, {})
    }
  }

  /** Returns undefined if the call has no answer. */
  async function send(target: Target, path: string, body: unknown): Promise<Reply | undefined> {
    const idempotencyKey = randomUUID()
    try {
      const reply = await call(target, 'POST', path, { body, idempotencyKey })
      if (reply.status === 503) unanswered.push({ path, body, idempotencyKey })
      else recordReply(reply)
      return reply
    } catch {
      unanswered.push({ path, body, idempotencyKey })
      return undefined
    }
  }

  function recordReply({ status, json, text }: Reply) {
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
      isStopped = false
      running = Promise.all(
        Array.from({ length: BUYERS }, (_, n) => buyUntilStopped(target, `buyer-${n}`)),
      )
    },
    untilAnswered(count) {
      const goal = answers + count
      return until(() => answers >= goal)
    },
    async stop() {
      isStopped = true
      await running
    },
    async repeat(target) {
      for (const { path, body, idempotencyKey } of unanswered.splice(0)) {
        const first = await postUntilAnswered(target, path, body, idempotencyKey)
        const second = await postUntilAnswered(target, path, body, idempotencyKey)
        if (first.text !== second.text)
          faults.push(`The answers of two repeats differ:\n${first.text}\n${second.text}`)
        recordReply(first)
      }
    },
  }
}
