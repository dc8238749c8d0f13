import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectReports } from './queries.ts'
import type { ClientReport, ReportQuery } from './schema.ts'

/** A page of reports by client programs, newest first (decision 87). */
export async function listReports(
  { db, store }: StoreContext,
  query: ReportQuery,
): Promise<{ client_reports: ClientReport[]; next_cursor: number | null }> {
  const { page, next_cursor } = cutPage(await selectReports(db, store.id, query), query.limit)
  return { client_reports: page, next_cursor }
}
