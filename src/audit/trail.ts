import type { Tx } from '../db/database.ts'
import { type Changes, changesOf, changesOfNew } from './changes.rules.ts'
import type { AuditedAction, Origin } from './origin.ts'
import * as q from './queries.ts'

/** The fields of a call that its audit event records. */
export interface RecordedFields {
  /** The fields of a new record. */
  created?: Readonly<Record<string, unknown>>
  /** The fields that were set. Their former values are unknown unless the use case reports them. */
  set?: Readonly<Record<string, unknown>>
  /** The ids in the path after the first. */
  ids?: Readonly<Record<string, unknown>>
  /** True if the call has no effect when all its fields have their former values (decision 391). */
  isUpdate?: boolean
}

/** Records the audit event of a call. The use case reports changes, and the code that runs the call writes the event. */
export interface AuditRecorder {
  readonly origin: Origin
  /**
   * Records the fields of `after` that differ from `before`, which is null for a new record. Fields
   * missing in `before` are not compared.
   */
  reportChange(before: object | null, after: object): void
  /** Skips the event of the call, which changed nothing or whose events are already written. */
  skipEvent(): void
  /** Writes audit events now, in the transaction of their change. */
  record(tx: Tx, actions: readonly AuditedAction[]): Promise<void>
  /** Writes the event of the call, unless it is skipped or an update changed no field. */
  recordCall(tx: Tx, action: Omit<AuditedAction, 'changes'>, fields: RecordedFields): Promise<void>
}

/** Opens the recorder of a call. A retried transaction opens another one. */
export function openAuditRecorder(storeId: number, now: string, origin: Origin): AuditRecorder {
  let isSkipped = false
  let changes: Changes = {}
  const comparedNames = new Set<string>()

  return {
    origin,
    reportChange(before, after) {
      const comparableFields = Object.entries(after).filter(
        ([name]) => before === null || name in before,
      )
      for (const [name] of comparableFields) comparedNames.add(name)
      const from = before as Record<string, unknown> | null
      changes = { ...changes, ...changesOf(from, Object.fromEntries(comparableFields)) }
    },
    skipEvent() {
      isSkipped = true
    },
    record: (tx, actions) => q.insertAuditEvents(tx, { storeId, now, origin }, actions),
    async recordCall(tx, action, { created = {}, set = {}, ids = {}, isUpdate = false }) {
      if (isSkipped) return
      const notCompared = Object.entries(set).filter(([name]) => !comparedNames.has(name))
      const fieldChanges = { ...changesOfNew(Object.fromEntries(notCompared)), ...changes }
      if (isUpdate && comparedNames.size > 0 && Object.keys(fieldChanges).length === 0) return
      const allChanges = {
        ...changesOf(null, created),
        ...changesOfNew(ids),
        ...fieldChanges,
      }
      await q.insertAuditEvents(tx, { storeId, now, origin }, [{ ...action, changes: allChanges }])
    },
  }
}
