import type { Json } from '../harness.ts'

// The model of an order and its payments: what the records of the providers, and the acts of the seller, make of them.

/** A payment in the records of its provider. */
export interface ProviderBook {
  received: number
  /** All refunds that the provider has made. */
  returned: number
  dispute: { status: 'open' | 'won' | 'lost'; amount: number } | null
}

/** The books of the providers by the ids of payments, and the acts of the seller that an answer does not show. */
export interface OrderFacts {
  books: ReadonlyMap<number, ProviderBook>
  /** True if the seller has released the order, also one that waits for a dispute. */
  isReleased: boolean
}

const COUNTED: readonly string[] = ['succeeded', 'disputed', 'approved']
const REVIEWED: readonly string[] = ['pending_review', 'rejected']
const UNPAID: readonly string[] = ['pending', 'processing', 'failed', 'expired', 'cancelled']
const ENDED: readonly string[] = ['cancelled', 'refunded']

/** The next statuses of each status. An expired order can still be paid by the seller. */
const NEXT: Record<string, readonly string[]> = {
  pending: ['partially_paid', 'manual_review', 'paid', 'completed', 'expired', 'cancelled'],
  partially_paid: ['manual_review', 'paid', 'completed', 'expired', 'cancelled'],
  manual_review: ['pending', 'partially_paid', 'paid', 'completed', 'cancelled'],
  paid: ['completed', 'refunded'],
  completed: ['refunded'],
  expired: ['paid', 'completed'],
  cancelled: [],
  refunded: [],
}

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0)
const isCounted = ({ status }: Json): boolean => COUNTED.includes(status)

/** Returns the differences between an order and the model, once every record of a provider is read. */
export function differences(order: Json, facts: OrderFacts): string[] {
  const expected = expectedOrder(order, facts)
  const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, order[name]]))
  return [
    ...order.payments.flatMap((payment: Json) => faultsOfPayment(payment, facts)),
    ...Object.entries(expected)
      .filter(([name, value]) => actual[name] !== value)
      .map(([name, value]) => `${name} is ${actual[name]}, not ${value}`),
    ...faultsOfHistory(order),
    ...faultsOfGoods(order),
    ...faultsOfHold(order, facts),
  ]
}

function expectedOrder(order: Json, { books }: OrderFacts) {
  const { payments, refunds } = order
  const isManual = ({ provider }: Json): boolean => provider === null
  const manual = payments.filter((payment: Json) => isManual(payment) && isCounted(payment))
  const counted = payments.filter((payment: Json) => !isManual(payment) && isCounted(payment))
  const bookOf = ({ id }: Json) => books.get(id) ?? { received: 0, returned: 0, dispute: null }
  const unnamed = refunds.filter(
    ({ payment_id, status }: Json) => payment_id === null && status === 'succeeded',
  )
  const paid_cents = sum([
    ...manual.map(({ amount_cents }: Json) => amount_cents),
    ...counted.map((payment: Json) => bookOf(payment).received),
  ])
  const refunded_cents = sum([
    ...unnamed.map(({ amount_cents }: Json) => amount_cents),
    ...counted.map((payment: Json) => goneOf(bookOf(payment))),
  ])
  return {
    paid_cents,
    refunded_cents,
    refund_status:
      refunded_cents === 0 ? 'none' : refunded_cents === paid_cents ? 'full' : 'partial',
    status: expectedStatus(order, paid_cents, refunded_cents),
  }
}

/** Returns the money that has left a payment. A dispute takes no more than refunds have left. */
const goneOf = ({ received, returned, dispute }: ProviderBook): number =>
  Math.min(received, returned + (dispute?.status === 'lost' ? dispute.amount : 0))

/** Returns the status that an order with this history and money has. */
function expectedStatus(order: Json, paid: number, refunded: number): string {
  const { status_history, payments, hold, total_cents } = order
  const has = (status: string) => status_history.some((item: Json) => item.status === status)
  if (has('cancelled')) return 'cancelled'
  if (has('refunded')) return 'refunded'
  if (has('completed')) return refunded === paid ? 'refunded' : 'completed'
  if (has('paid')) return refunded === paid ? 'refunded' : hold ? 'paid' : 'completed'
  if (has('expired')) return 'expired'
  if (paid - refunded >= total_cents) return 'completed'
  if (payments.some(({ status }: Json) => status === 'pending_review')) return 'manual_review'
  return paid > 0 ? 'partially_paid' : 'pending'
}

function faultsOfPayment(payment: Json, { books }: OrderFacts): string[] {
  const { id, provider, status, amount_cents, refunded_cents } = payment
  if (provider === null) return []
  const book = books.get(id)
  const { received, returned, dispute } = book ?? { received: 0, returned: 0, dispute: null }
  const isUnwon = dispute !== null && dispute.status !== 'won'
  const isReview = provider === 'stripe' && REVIEWED.includes(status)
  const faults = [
    received === 0 && !UNPAID.includes(status) && 'it brought no money',
    received > 0 && !isCounted(payment) && !isReview && `its ${received} do not count`,
    received > 0 && amount_cents !== received && `its amount is ${amount_cents}, not ${received}`,
    isCounted(payment) && (status === 'disputed') !== isUnwon && 'its dispute is not shown',
    isCounted(payment) &&
      refunded_cents !== goneOf({ received, returned, dispute }) &&
      `its refunds are ${refunded_cents}, not ${goneOf({ received, returned, dispute })}`,
    status === 'rejected' && returned !== received && 'its money did not go back',
  ]
  return faults.flatMap((fault) =>
    fault ? [`payment ${id} (${provider}, ${status}): ${fault}`] : [],
  )
}

function faultsOfHistory({ status, status_history }: Json): string[] {
  const statuses: string[] = status_history.map((item: Json) => item.status)
  const jumps = statuses.flatMap((next, index) => {
    const before = statuses[index - 1]
    return before === undefined || NEXT[before]?.includes(next) ? [] : [`${before} became ${next}`]
  })
  return statuses.at(-1) === status ? jumps : [...jumps, `the history ends with ${statuses.at(-1)}`]
}

/** A completed order has delivered its units, and no other order has anything delivered. */
export function faultsOfGoods({
  status,
  items,
  deliveries,
  paid_cents,
  total_cents,
}: Json): string[] {
  const units = sum(items.map(({ quantity }: Json) => quantity))
  const live = deliveries.filter((delivery: Json) => delivery.status === 'delivered')
  const keys = sum(live.map((delivery: Json) => delivery.keys.length))
  const expected = status === 'completed' ? units : 0
  return [
    ...(keys === expected ? [] : [`${keys} keys are delivered, not ${expected}`]),
    ...(keys > 0 && paid_cents < total_cents ? ['it was delivered unpaid'] : []),
  ]
}

function faultsOfHold({ status, hold, payments }: Json, { isReleased }: OrderFacts): string[] {
  if (ENDED.includes(status)) return hold === null ? [] : ['an ended order is on hold']
  const isDisputed = payments.some(({ dispute }: Json) => dispute?.status === 'open')
  return isDisputed && hold === null && !isReleased ? ['a disputed order is not on hold'] : []
}

/** Returns the rules that a single step has broken: money that was counted stays counted, with its amount. */
export function faultsOfStep(before: Json, after: Json): string[] {
  const lost = before.payments.filter(isCounted).filter((payment: Json) => {
    const now = after.payments.find(({ id }: Json) => id === payment.id)
    return !(isCounted(now) && now.amount_cents === payment.amount_cents)
  })
  return [
    ...lost.map(({ id }: Json) => `payment ${id} no longer counts as before`),
    ...faultsOfGoods(after),
    ...(after.refunded_cents < before.refunded_cents ? ['a refund was taken back'] : []),
  ]
}
