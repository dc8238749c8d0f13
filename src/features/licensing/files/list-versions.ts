import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectRecord } from '../app-records/index.ts'
import * as q from './queries.ts'
import { type FileVersions, FORMER_CONTENTS_MAX } from './schema.ts'

/** Returns the current content of a file and the former ones, newest first. */
export async function listVersions({ db, store }: StoreContext, id: number): Promise<FileVersions> {
  const current = requireRecord(await selectRecord(db, store.id, q.FILES, id), 'File')
  const formerContents = await q.selectVersions(db, store.id, id)
  const { version, filename, content_type, size_bytes, sha256, blob_id } = current
  const newest = { version, filename, content_type, size_bytes, sha256 }
  // Contents share their bytes after a roll-back.
  const formerSizes = new Map(formerContents.map((row) => [row.blob_id, row.size_bytes]))
  formerSizes.delete(blob_id)
  return {
    versions: [
      { ...newest, replaced_at: null, actor_key_id: null, actor_name: null },
      ...formerContents.map(({ blob_id, storage, ...fields }) => fields),
    ],
    former_max: FORMER_CONTENTS_MAX,
    former_bytes: [...formerSizes.values()].reduce((sum, size) => sum + size, 0),
  }
}
