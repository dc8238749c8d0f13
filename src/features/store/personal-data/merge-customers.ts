import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
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
import { moveSubscriptions } from '../subscriptions/index.ts'

/** A merge of one customer into another. */
export interface Move {
  from: number
  into: number
  now: string
}

/**
 * Moves the references to a customer, each through the owner of its table. A table that refers to
 * customers needs a line here; a test fails otherwise.
 */
const MOVES: readonly ((tx: Tx, storeId: number, move: Move) => Promise<void>)[] = [
  moveUses,
  moveOrders,
  moveEntries,
  moveSubscriptions,
]

/** Moves everything of a customer to another one, and deletes the first (decision 140). */
export function mergeCustomers(
  context: StoreContext,
  from: number,
  into: number,
): Promise<Customer> {
  const { store, now } = context
  if (from === into) throw invalid('into', 'Name another customer than the one that is merged.')
  return inTransaction(context.db, async (tx) => {
    const { source, target } = await lockBoth(tx, context, from, into)
    const move = { from, into, now }
    for (const moveRecords of MOVES) await moveRecords(tx, store.id, move)
    const profile = mergeProfiles(target, source)
    await mergeRecords(tx, store.id, { ...move, profile })
    await indexCustomer(tx, store.id, into)
    if (source.blocked && !target.blocked) await blockAddress(tx, context, target, null)
    const after = found(await selectCustomer(tx, store, into), 'Customer')
    context.audit.changed(
      { balance_cents: target.balance_cents, orders_count: target.orders_count },
      after,
    )
    return after
  })
}

async function lockBoth(tx: Tx, { store }: StoreContext, from: number, into: number) {
  const customers = await lockCustomers(tx, store, [from, into])
  const source = found(
    customers.find((customer) => customer.id === from),
    'Customer',
  )
  const target = customers.find((customer) => customer.id === into)
  if (!target) throw invalid('into', `The customer ${into} was not found.`)
  checkNotErased(source)
  checkNotErased(target)
  if (source.balance_cents + target.balance_cents > Number.MAX_SAFE_INTEGER) {
    throw invalid('into', `The balances together exceed ${Number.MAX_SAFE_INTEGER}.`)
  }
  return { source, target }
}
