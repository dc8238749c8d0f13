import type { Tx } from '../../../db/database.ts'
import { repeatLocking } from '../../../db/repeat-locking.ts'
import * as q from './queries/index.ts'

/**
 * Locks the orders and subscriptions of a customer and then, with `lockCustomers`, the customer. Payments and renewals
 * lock in the same sequence, which prevents deadlocks. If an order was created between the two locks, and a payment
 * has locked it already, all locks are released and taken again (decision 400).
 */
export function lockPerson<T>(
  tx: Tx,
  storeId: number,
  customerId: number,
  lockCustomers: () => Promise<T>,
): Promise<T> {
  return repeatLocking(tx, async () => {
    await q.lockRecords(tx, storeId, customerId)
    const result = await lockCustomers()
    return { result, isComplete: await q.tryLockRecords(tx, storeId, customerId) }
  })
}
