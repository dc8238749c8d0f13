import type { App } from '../../../app.ts'
import type { Changes } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import type { Tx } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'

/** Writes an audit event about a user into the trail of every store in which the user has a role. */
export async function recordForUser(
  tx: Tx,
  { origin, clock }: Pick<App, 'origin' | 'clock'>,
  userId: number,
  { action, changes }: { action: string; changes: Changes },
): Promise<void> {
  const ids = (await q.selectStoresOfUser(tx, userId)).map(({ store_id }) => store_id)
  const event = { action, object: 'user', object_id: String(userId), changes }
  await insertStoresEvent(tx, { ids }, { origin, now: iso(clock.now()) }, event)
}
