import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { AuditQuery } from './schema.ts'

/** Returns a page of changes, newest first. */
export async function listChanges({ db, store }: StoreContext, query: AuditQuery) {
  const { page, next_cursor } = cutPage(await q.selectEvents(db, store.id, query), query.limit)
  return { audit_events: page, next_cursor }
}
