import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import { type RecordAndVersion, selectRecords, versionedRecords } from '../app-records/index.ts'
import * as q from './queries.ts'
import type { ServersideString, StringQuery } from './schema.ts'
import { stringSealContext } from './sealed.ts'

export const strings = versionedRecords({
  table: q.STRINGS,
  noun: 'String',
  unique: 'name',
  toRecord(context, row): ServersideString {
    const { value_enc, ...listed } = row
    return { ...listed, value: openValue(context, row) }
  },
})

export const openValue = ({ vault, store }: StoreContext, row: q.StringRow): string =>
  vault.open(stringSealContext(store.id, row), row.value_enc).toString()

export async function listStrings({ db, store }: StoreContext, query: StringQuery) {
  const { records, total } = await selectRecords(db, store.id, q.LISTED_STRINGS, query)
  return { serverside_strings: records, pagination: pagination(query, total) }
}

export const deleteString = (
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
): Promise<void> => strings.delete(context, actor, { ...target, remove: q.deleteString })
