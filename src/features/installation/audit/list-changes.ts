import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectEvents } from './queries.ts'
import type { AuditQuery } from './schema.ts'

/** Returns a page of changes, newest first. */
export async function listChanges({ db, store }: StoreContext, query: AuditQuery) {
  const { page, next_cursor } = cutPage(await selectEvents(db, store.id, query), query.limit)
  return { audit_events: page, next_cursor }
}
