import { randomUUID } from 'node:crypto'
import { postUntilAnswered, type Reply, type Target } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import type { OnSale } from './put-on-sale.ts'

/** The result of one buyer. */
interface Purchase {
  quantity: number
  outcome: 'completed' | 'refused' | 'broken'
  orderId?: string
  keys: string[]
  /** The first unexpected answer. */
  fault?: string
}

/**
 * Runs one buyer for each quantity, all concurrently. Each creates an order, pays it in full, and
 * repeats both calls with their idempotency keys. If there are two servers, half of the repeats go to
 * the other one.
 */
export function runBuyers(
  { targets }: ServedStore,
  { id }: OnSale,
  quantities: readonly number[],
): Promise<Purchase[]> {
  return Promise.all(
    quantities.map(async (quantity, n) => {
      const target = targets[n % targets.length] ?? targets[0]
      const targetOfRepeats = targets[(n + (n >> 1)) % targets.length] ?? targets[0]
      const body = {
        items: [{ product_id: id, quantity }],
        customer: { email: `buyer-${n}@example.com` },
      }
      return buy([target, targetOfRepeats], body, quantity)
    }),
  )
}

async function buy(
  targets: readonly [Target, Target],
  body: unknown,
  quantity: number,
): Promise<Purchase> {
  const created = await postTwice(targets, '/orders', body)
  if (created.json.code === 'OUT_OF_STOCK') return { quantity, outcome: 'refused', keys: [] }
  if (created.status !== 201) return brokenPurchase(quantity, created)
  const { id } = created.json.order
  const paid = await postTwice(targets, `/orders/${id}/manual-payments`, {})
  if (paid.status !== 201 || paid.json.order.status !== 'completed')
    return brokenPurchase(quantity, paid)
  const keys = paid.json.order.deliveries.flatMap((item: { keys: string[] }) => item.keys)
  return { quantity, outcome: 'completed', orderId: id, keys }
}

const brokenPurchase = (quantity: number, { status, text }: Reply): Purchase => ({
  quantity,
  outcome: 'broken',
  keys: [],
  fault: `${status} ${text}`,
})

/** Sends a call and its repeat, which must have the same answer. */
async function postTwice(
  targets: readonly [Target, Target],
  path: string,
  body: unknown,
): Promise<Reply> {
  const key = randomUUID()
  const first = await postUntilAnswered(targets[0], path, body, key)
  const second = await postUntilAnswered(targets[1], path, body, key)
  if (first.status < 500 && first.text !== second.text) {
    throw new Error(`The repeat has another answer:\n${first.text}\n${second.text}`)
  }
  return first
}

export const keysOf = (purchases: readonly Purchase[]): string[] =>
  purchases.flatMap((item) => item.keys)

export const countOf = (purchases: readonly Purchase[], outcome: Purchase['outcome']): number =>
  purchases.filter((item) => item.outcome === outcome).length

/** Returns the distinct faults. */
export const faultsOf = (purchases: readonly Purchase[]): string[] => [
  ...new Set(purchases.flatMap(({ fault }) => (fault === undefined ? [] : [fault.slice(0, 200)]))),
]
