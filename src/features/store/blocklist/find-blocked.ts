import type { Db } from '../../../db/database.ts'
import * as q from './queries.ts'
import { blocklistKeysOf } from './values.rules.ts'

/** Returns those of these customers whose orders the blocklist refuses. No hit is counted. */
export async function findBlocked(
  db: Db,
  storeId: number,
  customerIds: readonly number[],
): Promise<Set<number>> {
  const customers = await q.selectEmails(db, storeId, customerIds)
  const keys = customers.map(({ id, email }) => ({ id, values: blocklistKeysOf(email).values }))
  const values = keys.flatMap((item) => item.values)
  const listed = new Set(await q.selectListedValues(db, storeId, values))
  return new Set(
    keys.filter((item) => item.values.some((value) => listed.has(value))).map(({ id }) => id),
  )
}
