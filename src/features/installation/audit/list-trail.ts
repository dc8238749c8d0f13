import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { TrailQuery } from './trail-schema.ts'

/** Returns a page of the audit trail of a store, newest first (decision 124). */
export async function listTrail({ db, store }: StoreContext, query: TrailQuery) {
  const { page, next_cursor } = cutPage(await q.selectTrail(db, store.id, query), query.limit)
  return { audit_events: page, next_cursor }
}
