import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { blockAddress, moveEntries } from '../blocklist/index.ts'
import { moveUses } from '../coupons/index.ts'
import {
  type Customer,
  checkNotErased,
  indexCustomer,
  lockCustomers,
  mergeProfiles,
  mergeCustomers as mergeRecords,
  selectCustomer,
} from '../customers/index.ts'
import { moveOrders } from '../orders/index.ts'
import { moveMethods } from '../payment-methods/index.ts'
import { moveSubscriptions } from '../subscriptions/index.ts'
import { lockPerson } from './lock-person.ts'

/** A move of the records of one customer to another. */
interface Move {
  from: number
  into: number
  now: string
}

/**
 * The functions that move the references to a customer, one for each table that has a customer id. A test
 * fails if a table is missing.
 */
const MOVES: readonly ((tx: Tx, storeId: number, move: Move) => Promise<void>)[] = [
  moveUses,
  moveOrders,
  moveEntries,
  moveSubscriptions,
  moveMethods,
]

/** Moves all records of the customer `from` to the customer `into`, and deletes `from` (decision 140). */
export function mergeCustomers(
  context: StoreContext,
  from: number,
  into: number,
): Promise<Customer> {
  const { store, now } = context
  if (from === into)
    throw invalid(
      'into',
      'A customer cannot be merged into itself. Send the id of another customer.',
    )
  return inTransaction(context.db, async (tx) => {
    const { source, target } = await lockBoth(tx, context, from, into)
    const move = { from, into, now }
    for (const moveRecords of MOVES) await moveRecords(tx, store.id, move)
    const profile = mergeProfiles(target, source)
    await mergeRecords(tx, store.id, { ...move, profile })
    await indexCustomer(tx, store.id, { ...target, name: profile.name })
    if (source.blocked && !target.blocked) await blockAddress(tx, context, target, null)
    const after = requireRecord(await selectCustomer(tx, store, into), 'Customer')
    context.audit.reportChange(
      { balance_cents: target.balance_cents, orders_count: target.orders_count },
      after,
    )
    return after
  })
}

async function lockBoth(tx: Tx, { store }: StoreContext, from: number, into: number) {
  const customers = await lockPerson(tx, store.id, from, () =>
    lockCustomers(tx, store, [from, into]),
  )
  const source = requireRecord(
    customers.find((customer) => customer.id === from),
    'Customer',
  )
  const target = customers.find((customer) => customer.id === into)
  if (!target)
    throw invalid(
      'into',
      `The customer ${into} was not found. Send the id of an existing customer.`,
    )
  checkNotErased(source)
  checkNotErased(target)
  if (source.balance_cents + target.balance_cents > Number.MAX_SAFE_INTEGER) {
    throw invalid(
      'into',
      `The sum of the two balances exceeds ${Number.MAX_SAFE_INTEGER}. Debit one of them first.`,
    )
  }
  return { source, target }
}
