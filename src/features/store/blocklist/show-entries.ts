import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { BlocklistEntry, BlocklistQuery } from './schema.ts'
import { filterValues } from './values.rules.ts'

export async function getEntry({ db, store }: StoreContext, id: number): Promise<BlocklistEntry> {
  return requireRecord(await q.selectEntry(db, store.id, id), 'Blocklist entry')
}

export async function listEntries(
  { db, store }: StoreContext,
  { value, ...query }: BlocklistQuery,
) {
  const values = value === undefined ? {} : { values: filterValues(value) }
  const { records, total } = await q.selectEntries(db, store.id, { ...query, ...values })
  return { blocklist_entries: records, pagination: pagination(query, total) }
}
