import type { Tx } from '../db/database.ts'
import { type Changes, changesOf } from './changes.rules.ts'
import type { Act, Origin } from './origin.ts'
import { insertAuditEvents } from './queries.ts'

/** What a use case sees of the audit event of its call. The boundary that runs the call writes it. */
export interface AuditTrail {
  readonly origin: Origin
  /** Says what changed: fields of `after` that differ from `before`, which is null for something new. */
  changed(before: object | null, after: object): void
  /** The call needs no audit event of its own: it changed nothing, or its events are written already. */
  done(): void
  /** Writes audit events now, in the transaction of their change. */
  record(tx: Tx, acts: readonly Act[]): Promise<void>
  /**
   * Writes the event of the call, unless the call is done with it. `sent` are the fields that were sent;
   * those that the use case did not compare are shown as they were sent.
   */
  recordCall(tx: Tx, act: Omit<Act, 'changes'>, sent: object): Promise<void>
}

/** The trail of one call: a repeated transaction begins a new one. */
export function openTrail(storeId: number, now: string, origin: Origin): AuditTrail {
  let isDone = false
  let changes: Changes = {}
  const compared = new Set<string>()

  return {
    origin,
    changed(before, after) {
      for (const name of Object.keys(after)) compared.add(name)
      changes = { ...changes, ...changesOf(before as Record<string, unknown> | null, { ...after }) }
    },
    done() {
      isDone = true
    },
    record: (tx, acts) => insertAuditEvents(tx, { storeId, now, origin }, acts),
    async recordCall(tx, act, sent) {
      if (isDone) return
      const rest = Object.entries(sent).filter(([name]) => !compared.has(name))
      const all = { ...changesOf(null, Object.fromEntries(rest)), ...changes }
      await insertAuditEvents(tx, { storeId, now, origin }, [{ ...act, changes: all }])
    },
  }
}
