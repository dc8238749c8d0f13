import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkNotErased } from './customers.rules.ts'
import * as q from './queries/index.ts'
import type { BalanceChange, BalanceEntry } from './schema.ts'
import { lockCustomer } from './update-customer.ts'

const ERASED_TEXT =
  'The customer of this order was erased and has no balance. Set to_balance to false, and return the money in another way.'

interface ChangedBalance {
  balance_cents: number
  balance_entry: BalanceEntry
}

/** Credits or debits a customer's balance and records the reason. */
export function changeBalance(
  context: StoreContext,
  id: number,
  { amount_cents: cents, reason }: BalanceChange,
): Promise<ChangedBalance> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    checkNotErased(await lockCustomer(tx, context, id))
    const balance_entry = await q.changeBalance(tx, store.id, id, {
      cents,
      reason,
      orderId: null,
      now,
    })
    if (!balance_entry) throw await balanceRefusal(tx, context, id, cents)
    return { balance_cents: balance_entry.balance_cents, balance_entry }
  })
}

async function balanceRefusal(tx: Tx, { store }: StoreContext, id: number, cents: number) {
  const { balance_cents } = requireRecord(await q.selectCustomer(tx, store, id), 'Customer')
  const details = { available: balance_cents }
  const remedy = balance_cents === 0 ? 'Credit it first.' : `Debit at most ${balance_cents}.`
  return cents < 0
    ? invalid(
        'amount_cents',
        `The balance is ${balance_cents} and cannot go below 0. ${remedy}`,
        details,
      )
    : invalid(
        'amount_cents',
        `The balance is ${balance_cents} and cannot exceed ${Number.MAX_SAFE_INTEGER}. Credit less.`,
        details,
      )
}

interface BalancePayment {
  orderId: string
  /** The amount, above 0. */
  cents: number
}

/** Pays for an order from the customer's balance. Returns false if the balance is too low. */
export async function debitBalance(
  tx: Tx,
  { store, now }: StoreContext,
  customerId: number,
  { orderId, cents }: BalancePayment,
): Promise<boolean> {
  const change = { cents: -cents, reason: 'payment', orderId, now }
  return (await q.changeBalance(tx, store.id, customerId, change)) !== undefined
}

/**
 * Pays for orders from the balances of their customers, each of whom occurs once. Returns the ids of the
 * orders for which the balance was high enough.
 */
export async function debitBalances(
  tx: Tx,
  { store, now }: StoreContext,
  payments: readonly (BalancePayment & { customerId: number })[],
): Promise<Set<string>> {
  if (payments.length === 0) return new Set()
  const changes = payments.map(({ customerId: customer_id, orderId: order_id, cents }) => {
    return { customer_id, order_id, cents: -cents }
  })
  const entries = await q.changeBalances(tx, store.id, { reason: 'payment', now, changes })
  return new Set(entries.flatMap(({ order_id }) => order_id ?? []))
}

/**
 * Credits what was paid from the balance for an order that ended (decision 180). Returns false, and changes nothing, if the
 * customer was erased or the balance would exceed 2^53 - 1.
 */
export async function returnBalance(
  tx: Tx,
  context: StoreContext,
  customerId: number,
  { orderId, cents }: BalancePayment,
): Promise<boolean> {
  const { store, now } = context
  const { erased_at } = await lockCustomer(tx, context, customerId)
  if (erased_at !== null) return false
  const change = { cents, reason: 'order_ended', orderId, now }
  return (await q.changeBalance(tx, store.id, customerId, change)) !== undefined
}

/**
 * Credits a refund to the balance. Returns false if the balance would exceed 2^53 - 1. Refuses an erased customer, who
 * could never use the balance.
 */
export async function creditBalance(
  tx: Tx,
  context: StoreContext,
  customerId: number,
  { orderId, cents }: BalancePayment,
): Promise<boolean> {
  const { store, now } = context
  const { erased_at } = await lockCustomer(tx, context, customerId)
  if (erased_at !== null) throw invalidState('erased', ERASED_TEXT)
  const change = { cents, reason: 'refund', orderId, now }
  return (await q.changeBalance(tx, store.id, customerId, change)) !== undefined
}
