import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { BlocklistEntry, BlocklistQuery } from './schema.ts'
import { filterValues } from './values.rules.ts'

export async function getEntry({ db, store }: StoreContext, id: number): Promise<BlocklistEntry> {
  return found(await q.selectEntry(db, store.id, id), 'Blocklist entry')
}

export async function listEntries(
  { db, store }: StoreContext,
  { value, ...query }: BlocklistQuery,
): Promise<{ blocklist_entries: BlocklistEntry[]; pagination: Pagination }> {
  const values = value === undefined ? {} : { values: filterValues(value) }
  const { entries, total } = await q.selectEntries(db, store.id, { ...query, ...values })
  return { blocklist_entries: entries, pagination: pagination(query, total) }
}
