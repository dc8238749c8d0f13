import { expect } from 'vitest'
import type { Json } from '../harness.ts'
import type { StripeRecords } from './stripe-records.ts'

// Compares the records of Stripe with ours, once nothing is due any more.

/** The statuses of payments whose money has arrived, and has not been returned by a rejection. */
const ARRIVED: readonly string[] = ['succeeded', 'disputed', 'approved', 'pending_review']
const OPEN: readonly string[] = ['pending', 'processing']
const COUNTED: readonly string[] = ['succeeded', 'disputed', 'approved']
/** The statuses of orders that need no further payment. */
const OVER: readonly string[] = ['paid', 'completed', 'expired', 'cancelled', 'refunded']

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0)

/** The orders of a store and the ids of all its payments. */
interface Books {
  hash: string
  orders: readonly Json[]
  paymentIds: readonly number[]
}

/** Expects that Stripe and a store have the same money, pages and charges. */
export function booksAgree(records: StripeRecords, { hash, orders, paymentIds }: Books): void {
  const faults = orders.flatMap((order) => faultsOf(records, order))
  expect([...faults, ...strangersOf(records, hash, paymentIds)]).toEqual([])
}

/** Returns the ways in which the records of an order differ from those of Stripe. */
export function faultsOf(records: StripeRecords, order: Json): string[] {
  const payments: Json[] = order.payments.filter(({ provider }: Json) => provider === 'stripe')
  return [
    ...payments.flatMap((payment) => faultsOfPayment(records, order, payment)),
    ...faultsOfDelivery(records, order),
  ].map((fault) => `${order.id} (${order.status}): ${fault}`)
}

function faultsOfPayment(records: StripeRecords, order: Json, payment: Json): string[] {
  const { id, status, external_id } = payment
  const { charges, held } = moneyAtStripe(records, payment)
  const ours = heldByUs(order, payment)
  const pages = pagesAtStripe(records, payment)
  const faults = [
    charges.length > 1 && `it was charged ${charges.length} times`,
    held !== ours && `Stripe holds ${held}, and we ${ours}`,
    COUNTED.includes(status) && charges.length === 0 && 'it counts, and Stripe has no charge',
    external_id !== null && pages.every((page) => page.id !== external_id) && 'it has a wrong id',
    OVER.includes(order.status) && OPEN.includes(status) && 'it is open, and its order is over',
    ...pages
      // Nobody was given the address of a page whose answer was lost.
      .filter((page) => page.status === 'open' && page.id === external_id)
      .map(() => !OPEN.includes(status) && 'its page can still be paid'),
    ...pages
      .filter((page) => page.status === 'open')
      .map((page) => external_id !== null && page.id !== external_id && 'it has two pages'),
  ]
  return faults.flatMap((fault) => (fault ? [`payment ${id} (${status}): ${fault}`] : []))
}

/** An order that delivered something was paid, by money at Stripe or in another way. */
function faultsOfDelivery(records: StripeRecords, order: Json): string[] {
  if (order.deliveries.length === 0) return []
  const others = order.payments.filter(
    ({ provider, status }: Json) => provider === null && COUNTED.includes(status),
  )
  const received = sum([
    ...order.payments.map((payment: Json) => moneyAtStripe(records, payment).received),
    ...others.map(({ amount_cents }: Json) => amount_cents),
  ])
  return received < order.total_cents ? [`it was delivered for ${received}`] : []
}

const namesPayment =
  ({ id }: Json) =>
  ({ metadata }: Json): boolean =>
    metadata.payment === String(id)

const pagesAtStripe = ({ sessions, intents }: StripeRecords, payment: Json): Json[] => [
  ...[...sessions.values()].filter(namesPayment(payment)),
  ...[...intents.values()].filter(namesPayment(payment)),
]

/** Returns the charges of a payment, the money that arrived, and the money that has not gone back. */
function moneyAtStripe({ charges, refunds, disputes }: StripeRecords, payment: Json) {
  const own = [...charges.values()].filter(namesPayment(payment))
  const ids = own.map(({ id }) => id)
  const received = sum(own.map(({ amount }) => amount))
  const refunded = [...refunds.values()].filter(
    ({ charge, status }) => ids.includes(charge) && status !== 'failed',
  )
  const lost = [...disputes.values()].filter(
    ({ charge, status }) => ids.includes(charge) && status === 'lost',
  )
  const gone = sum([...refunded, ...lost].map(({ amount }) => amount))
  return { charges: own, received, held: received - gone }
}

/** Returns the money of a payment that we have recorded and that has not gone back. */
function heldByUs({ refunds }: Json, { id, status, amount_cents }: Json): number {
  if (!ARRIVED.includes(status)) return 0
  const own = refunds.filter((item: Json) => item.payment_id === id && item.status !== 'failed')
  return amount_cents - sum(own.map((refund: Json) => refund.amount_cents))
}

/** Returns what Stripe has for this store and for none of these payments. */
export function strangersOf(
  { sessions, intents }: StripeRecords,
  hash: string,
  paymentIds: readonly number[],
): string[] {
  const ids = paymentIds.map(String)
  return [...sessions.values(), ...intents.values()]
    .filter(({ metadata }) => metadata.store === hash && !ids.includes(metadata.payment))
    .map(({ id, metadata }) => `${id} is for the unknown payment ${metadata.payment}`)
}
