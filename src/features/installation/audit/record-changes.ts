import { changesOf } from '../../../audit/changes.rules.ts'
import type { Tx } from '../../../db/database.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'

/** The author of a change, as the list of the Client Security API shows it. */
export interface Actor {
  key_id: number | null
}

/** A rule of ours, at work for an order or a report: no API key changes the record. */
export const NOBODY: Actor = { key_id: null }

export interface Change {
  /** `string.update` */
  action: string
  record_type: string
  record_id: number
  before?: unknown
  after?: unknown
}

/** Fields of new records are named up to this many; a longer list names the records alone. */
const FIELDS_OF_NEW_MAX = 20

/**
 * Records an audit event for each change, in the transaction of the change. The list of the Client
 * Security API shows keyed hashes alone: they say whether two states were the same, and nothing
 * else.
 */
export async function recordChanges(
  tx: Tx,
  { vault, audit }: StoreContext,
  actor: Actor,
  changes: readonly Change[],
): Promise<void> {
  const hashOf = (value: unknown): string | null =>
    value === undefined ? null : vault.hmac('audit', JSON.stringify(value)).toString('hex')
  const isShort = changes.length <= FIELDS_OF_NEW_MAX
  await audit.record(
    tx,
    await mapInSlices(changes, ({ action, record_type, record_id, before, after }) => ({
      action,
      object: record_type,
      object_id: String(record_id),
      changes:
        isFields(after) && (isShort || before !== undefined)
          ? changesOf(isFields(before) ? before : null, after)
          : {},
      record: {
        record_type,
        record_id,
        before_hash: hashOf(before),
        after_hash: hashOf(after),
        actor_key_id: actor.key_id,
      },
    })),
  )
  if (actor !== NOBODY) audit.done()
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
