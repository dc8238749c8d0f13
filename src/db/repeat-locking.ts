import type { Tx } from './database.ts'
import { execute } from './rows.ts'

/** The last attempt goes on with an incomplete set of locks. If it deadlocks, the transaction is repeated. */
const ATTEMPTS_MAX = 20

/**
 * Takes locks until the set is complete. While a lock is awaited, the set of rows to lock can change. Then
 * all locks are released and taken again: taking only the missing ones would be another sequence of locks than
 * that of other transactions, and could deadlock.
 */
export async function repeatLocking<T>(
  tx: Tx,
  takeLocks: () => Promise<{ result: T; isComplete: boolean }>,
): Promise<T> {
  await execute(tx)`savepoint locks`
  for (let attempt = 1; ; attempt++) {
    const { result, isComplete } = await takeLocks()
    if (isComplete || attempt === ATTEMPTS_MAX) {
      await execute(tx)`release savepoint locks`
      return result
    }
    // Releases the locks that were taken since the savepoint.
    await execute(tx)`rollback to savepoint locks`
  }
}
