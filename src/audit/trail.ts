import type { Tx } from '../db/database.ts'
import { type Changes, changesOf, setTo } from './changes.rules.ts'
import type { Act, Origin } from './origin.ts'
import { insertAuditEvents } from './queries.ts'

/** What a call sent: fields of something new, and fields whose former values only the use case knows. */
export interface Sent {
  made?: Readonly<Record<string, unknown>>
  set?: Readonly<Record<string, unknown>>
}

/** What a use case sees of the audit event of its call. The boundary that runs the call writes it. */
export interface AuditTrail {
  readonly origin: Origin
  /**
   * Says what changed: fields of `after` that differ from `before`, which is null for something new.
   * Fields that `before` does not have are not compared.
   */
  changed(before: object | null, after: object): void
  /** The call needs no audit event of its own: it changed nothing, or its events are written already. */
  done(): void
  /** Writes audit events now, in the transaction of their change. */
  record(tx: Tx, acts: readonly Act[]): Promise<void>
  /** Writes the event of the call, unless the call is done with it. */
  recordCall(tx: Tx, act: Omit<Act, 'changes'>, sent: Sent): Promise<void>
}

/** The trail of one call: a repeated transaction begins a new one. */
export function openTrail(storeId: number, now: string, origin: Origin): AuditTrail {
  let isDone = false
  let changes: Changes = {}
  const compared = new Set<string>()

  return {
    origin,
    changed(before, after) {
      const known = Object.entries(after).filter(([name]) => before === null || name in before)
      for (const [name] of known) compared.add(name)
      const from = before as Record<string, unknown> | null
      changes = { ...changes, ...changesOf(from, Object.fromEntries(known)) }
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
