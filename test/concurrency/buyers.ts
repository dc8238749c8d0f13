import { randomUUID } from 'node:crypto'
import { insist, type Reply, type Target } from '../process/client.ts'
import type { RealServer } from './open-market.ts'
import type { OnSale } from './put-on-sale.ts'

/** The result of one buyer's visit. */
export interface Visit {
  quantity: number
  outcome: 'completed' | 'refused' | 'broken'
  orderId?: string
  keys: string[]
  /** The answer, if it breaks the contract. */
  said?: string
}

/**
 * Sends that many buyers at once. Each makes an order and pays it in full, and repeats each call
 * under its Idempotency-Key: where there are two doors, half of them at the other one.
 */
export function sendBuyers(
  { targets }: RealServer,
  { id }: OnSale,
  quantities: readonly number[],
): Promise<Visit[]> {
  return Promise.all(
    quantities.map(async (quantity, n) => {
      const target = targets[n % targets.length] ?? targets[0]
      const other = targets[(n + (n >> 1)) % targets.length] ?? targets[0]
      const body = {
        items: [{ product_id: id, quantity }],
        customer: { email: `buyer-${n}@example.com` },
      }
      return visit([target, other], body, quantity)
    }),
  )
}

async function visit(
  targets: readonly [Target, Target],
  body: unknown,
  quantity: number,
): Promise<Visit> {
  const made = await twice(targets, '/orders', body)
  if (made.json.code === 'OUT_OF_STOCK') return { quantity, outcome: 'refused', keys: [] }
  if (made.status !== 201) return broken(quantity, made)
  const { id } = made.json.order
  const paid = await twice(targets, `/orders/${id}/manual-payments`, {})
  if (paid.status !== 201 || paid.json.order.status !== 'completed') return broken(quantity, paid)
  const keys = paid.json.order.deliveries.flatMap((item: { keys: string[] }) => item.keys)
  return { quantity, outcome: 'completed', orderId: id, keys }
}

const broken = (quantity: number, { status, text }: Reply): Visit => ({
  quantity,
  outcome: 'broken',
  keys: [],
  said: `${status} ${text}`,
})

/** A call and its repeat, which must bring the same bytes. */
async function twice(
  targets: readonly [Target, Target],
  path: string,
  body: unknown,
): Promise<Reply> {
  const key = randomUUID()
  const first = await insist(targets[0], path, body, key)
  const second = await insist(targets[1], path, body, key)
  if (first.status < 500 && first.text !== second.text) {
    throw new Error(`A repeat brought another answer:\n${first.text}\n${second.text}`)
  }
  return first
}

export const keysOf = (visits: readonly Visit[]): string[] => visits.flatMap((item) => item.keys)

export const countOf = (visits: readonly Visit[], outcome: Visit['outcome']): number =>
  visits.filter((item) => item.outcome === outcome).length

/** Returns the distinct faults. */
export const faultsOf = (visits: readonly Visit[]): string[] => [
  ...new Set(visits.flatMap(({ said }) => (said === undefined ? [] : [said.slice(0, 200)]))),
]
