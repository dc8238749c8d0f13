import type { Tx } from '../db/database.ts'
import { type Changes, changesOf, setTo } from './changes.rules.ts'
import type { Act, Origin } from './origin.ts'
import { insertAuditEvents } from './queries.ts'

/**
 * The fields of a call: those of a new record, and those whose former values only the use case
 * knows.
 */
export interface Sent {
  made?: Readonly<Record<string, unknown>>
  set?: Readonly<Record<string, unknown>>
}

/**
 * The audit event of a call, as its use case sees it. The code that runs the call writes the event.
 */
export interface AuditTrail {
  readonly origin: Origin
  /**
   * Records the fields of `after` that differ from `before`, which is null for a new record. Fields
   * missing in `before` are not compared.
   */
  changed(before: object | null, after: object): void
  /** Skips the event of the call: it changed nothing, or its events are already written. */
  done(): void
  /** Writes audit events now, in the transaction of their change. */
  record(tx: Tx, acts: readonly Act[]): Promise<void>
  /** Writes the event of the call, unless `done` was called. */
  recordCall(tx: Tx, act: Omit<Act, 'changes'>, sent: Sent): Promise<void>
}

/** Opens the trail of one call; a retried transaction opens a new one. */
export function openTrail(storeId: number, now: string, origin: Origin): AuditTrail {
  let isDone = false
  let changes: Changes = {}
  const compared = new Set<string>()

  return {
    origin,
    changed(before, after) {
      const comparable = Object.entries(after).filter(([name]) => before === null || name in before)
      for (const [name] of comparable) compared.add(name)
      const from = before as Record<string, unknown> | null
      changes = { ...changes, ...changesOf(from, Object.fromEntries(comparable)) }
    },
    done() {
      isDone = true
    },
    record: (tx, acts) => insertAuditEvents(tx, { storeId, now, origin }, acts),
    async recordCall(tx, act, { made = {}, set = {} }) {
      if (isDone) return
      const rest = Object.entries(set).filter(([name]) => !compared.has(name))
      const all = { ...changesOf(null, made), ...setTo(Object.fromEntries(rest)), ...changes }
      await insertAuditEvents(tx, { storeId, now, origin }, [{ ...act, changes: all }])
    },
  }
}
