import { changesOf } from '../../../audit/changes.rules.ts'
import type { Tx } from '../../../db/database.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'

/** The author of a change, as the list of the Client Security API shows it. */
export interface KeyActor {
  key_id: number | null
}

/** The actor of changes that no API key makes, such as those by an order or a report. */
export const NOBODY: KeyActor = { key_id: null }

export interface RecordChange {
  /** The action, such as `serverside_string.update`. */
  action: string
  record_type: string
  record_id: number
  before?: unknown
  after?: unknown
  /** True if the change also concerns records other than this one. */
  changes_others?: boolean
}

/** The maximum number of changes for which the fields of new records are recorded. */
const FIELDS_OF_NEW_MAX = 20

/**
 * Records an audit event for each change, in the transaction of the change. The Client Security API
 * shows only keyed hashes of the states: a caller can see that two states are equal, but not their fields.
 */
export async function recordChanges(
  tx: Tx,
  { vault, audit }: StoreContext,
  actor: KeyActor,
  changes: readonly RecordChange[],
): Promise<void> {
  const hashOf = (value: unknown): string | null =>
    value === undefined ? null : vault.hmac('audit', JSON.stringify(value)).toString('hex')
  const hasFieldsOfNew = changes.length <= FIELDS_OF_NEW_MAX
  const effectiveChanges = changes.filter((change) => !isWithoutEffect(change))
  await audit.record(
    tx,
    await mapInSlices(effectiveChanges, ({ action, record_type, record_id, before, after }) => ({
      action,
      object: record_type,
      object_id: String(record_id),
      changes:
        isFields(after) && (hasFieldsOfNew || before !== undefined)
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
  // These events replace that of the call. A change that nobody made accompanies a call with its own event.
  if (actor !== NOBODY) audit.skipEvent()
}

/** True if each field of the record had its new value already (decision 391). */
const isWithoutEffect = ({ before, after, changes_others = false }: RecordChange): boolean =>
  !changes_others &&
  isFields(before) &&
  isFields(after) &&
  Object.keys(changesOf(before, after)).length === 0

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
