import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkNotErased } from './customers.rules.ts'
import { selectCustomer } from './queries/customers.ts'
import * as q from './queries/totals.ts'
import type { BalanceChange, BalanceEntry } from './schema.ts'

export interface ChangedBalance {
  balance_cents: number
  balance_entry: BalanceEntry
}

/** Credits or debits a customer's balance, and records why (decision 107). */
export function changeBalance(
  context: StoreContext,
  id: number,
  { amount_cents: cents, reason }: BalanceChange,
): Promise<ChangedBalance> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    checkNotErased(found(await selectCustomer(tx, store, id), 'Customer'))
    const balance_entry = await q.changeBalance(tx, store.id, id, {
      cents,
      reason,
      orderId: null,
      now,
    })
    if (!balance_entry) throw await refusal(tx, context, id, cents)
    return { balance_cents: balance_entry.balance_cents, balance_entry }
  })
}

async function refusal(tx: Tx, { store }: StoreContext, id: number, cents: number) {
  const { balance_cents } = found(await selectCustomer(tx, store, id), 'Customer')
  const details = { available: balance_cents }
  return cents < 0
    ? invalid(
        'amount_cents',
        `The balance is ${balance_cents} and cannot go below 0. Debit at most that.`,
        details,
      )
    : invalid(
        'amount_cents',
        `The balance is ${balance_cents}; it cannot exceed ${Number.MAX_SAFE_INTEGER}.`,
        details,
      )
}

export interface BalancePayment {
  orderId: string
  /** Above 0. */
  cents: number
}

/** Takes money of an order from the customer's balance. Returns false if the balance is too low. */
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
 * Takes money of orders from the balances of customers that differ. Returns the orders for which there
 * was enough.
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

/** Puts refunded money on the balance. Returns false if the balance cannot be counted any more. */
export async function creditBalance(
  tx: Tx,
  { store, now }: StoreContext,
  customerId: number,
  { orderId, cents }: BalancePayment,
): Promise<boolean> {
  const change = { cents, reason: 'refund', orderId, now }
  return (await q.changeBalance(tx, store.id, customerId, change)) !== undefined
}
