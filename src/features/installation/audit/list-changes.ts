import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectEvents } from './queries.ts'
import type { AuditEvent, AuditQuery } from './schema.ts'

/** A page of changes, newest first. */
export async function listChanges(
  { db, store }: StoreContext,
  query: AuditQuery,
): Promise<{ audit_events: AuditEvent[]; next_cursor: number | null }> {
  const { page, next_cursor } = cutPage(await selectEvents(db, store.id, query), query.limit)
  return { audit_events: page, next_cursor }
}
