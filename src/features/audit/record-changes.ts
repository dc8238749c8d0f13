import type { Tx } from '../../db/database.ts'
import type { Shop } from '../../shop.ts'
import { insertEvents } from './queries.ts'

/** Who makes a change: an API key and where it called from; null for a rule of ours. */
export interface Actor {
  key_id: number | null
  ip: string | null
}

export interface Change {
  /** `string.update` */
  action: string
  record_type: string
  record_id: number
  before?: unknown
  after?: unknown
}

/**
 * Writes down who changed what, in the transaction of the change. Of the values only keyed hashes are
 * kept: they say whether two states were the same, and nothing else.
 */
export async function recordChanges(
  tx: Tx,
  { store, vault, now }: Shop,
  actor: Actor,
  changes: readonly Change[],
): Promise<void> {
  const hashOf = (value: unknown): string | null =>
    value === undefined ? null : vault.hmac('audit', JSON.stringify(value)).toString('hex')
  await insertEvents(
    tx,
    store.id,
    { actor_key_id: actor.key_id, ip: actor.ip, created_at: now },
    changes.map(({ before, after, ...change }) => ({
      ...change,
      before_hash: hashOf(before),
      after_hash: hashOf(after),
    })),
  )
}
