import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { ReportQuery } from './schema.ts'

/** Returns a page of reports by client programs, newest first. */
export async function listReports({ db, store }: StoreContext, query: ReportQuery) {
  const { page, next_cursor } = cutPage(await q.selectReports(db, store.id, query), query.limit)
  return { client_reports: page, next_cursor }
}
