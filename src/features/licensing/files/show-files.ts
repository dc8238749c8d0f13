import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { FileQuery, ServersideFile } from './schema.ts'
import { shown } from './upload-file.ts'

export async function listFiles(
  { db, store }: StoreContext,
  query: FileQuery,
): Promise<{ serverside_files: ServersideFile[]; pagination: Pagination }> {
  const { files, total } = await q.selectFiles(db, store.id, query)
  return { serverside_files: files.map(shown), pagination: pagination(query, total) }
}

export const getFile = async ({ db, store }: StoreContext, id: number): Promise<ServersideFile> =>
  shown(found(await q.selectFile(db, store.id, id), 'File'))
