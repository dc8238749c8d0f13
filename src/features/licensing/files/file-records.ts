import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectRecords, versionedRecords } from '../app-records/index.ts'
import * as q from './queries.ts'
import type { FileQuery, ServersideFile } from './schema.ts'

export const files = versionedRecords({
  table: q.FILES,
  noun: 'File',
  unique: 'name',
  toRecord: (_context, row) => toServersideFile(row),
})

export const toServersideFile = ({ blob_id, ...file }: q.FileRow): ServersideFile => file

export async function listFiles({ db, store }: StoreContext, query: FileQuery) {
  const { records, total } = await selectRecords(db, store.id, q.FILES, query)
  return { serverside_files: records.map(toServersideFile), pagination: pagination(query, total) }
}
