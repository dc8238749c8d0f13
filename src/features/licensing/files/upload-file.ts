import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { checkVersion, found, invalid, notFound, taken } from '../../../kernel/errors.ts'
import type { Uploaded } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  type Actor,
  dropBlobs,
  keepBlob,
  recordChanges,
  useBlob,
} from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { safeFilename } from './filename.rules.ts'
import * as q from './queries.ts'
import type { ContentForm, FileForm, ServersideFile } from './schema.ts'

const BARE_TYPE = 'application/octet-stream'

/** Bytes that lie in storage, and that no record uses yet. */
export interface Kept {
  blob_id: string
  file: Uploaded
}

/** Puts an upload into storage, before and outside of the transaction that makes its record. */
export async function keepFile(context: StoreContext, file: Uploaded | undefined): Promise<Kept> {
  if (!file)
    throw invalid('file', 'Send a file, as multipart/form-data or application/octet-stream.')
  return { blob_id: await keepBlob(context, file), file }
}

export const shown = ({ blob_id: _, ...file }: q.FileRow): ServersideFile => file

const contentOf = ({ storage }: StoreContext, kept: Kept, sent: ContentForm) => ({
  blob_id: kept.blob_id,
  filename: safeFilename(sent.filename ?? kept.file.name),
  content_type: sent.content_type ?? typeOf(kept.file.mime_type),
  size_bytes: kept.file.size_bytes,
  sha256: kept.file.sha256,
  storage: storage.kind,
})

/** A form may say anything of a file; what could not stand in a header is not believed. */
const typeOf = (mime_type: string): string =>
  /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/.test(mime_type) ? mime_type : BARE_TYPE

/** Makes a file of what was uploaded. Its row comes last, so that what is there is whole. */
export async function createFile(
  context: StoreContext,
  actor: Actor,
  { app_id, ...sent }: FileForm,
  kept: Kept,
): Promise<ServersideFile> {
  const { store, now } = context
  return refusingTakenName(() =>
    inTransaction(context.db, async (tx) => {
      const app = await appNamed(tx, context, app_id)
      await useBlob(tx, store.id, kept.blob_id)
      const id = await q.insertFile(tx, store.id, {
        ...sent,
        ...contentOf(context, kept, sent),
        app_id: app.id,
        upload_state: 'ready',
        version: 1,
        created_at: now,
        updated_at: now,
      })
      const after = shown(found(await q.selectFile(tx, store.id, id), 'File'))
      const change = { action: 'serverside_file.create', record_type: after.object, record_id: id }
      await recordChanges(tx, context, actor, [{ ...change, after }])
      return after
    }),
  )
}

/** Puts other bytes in the place of a file's, as its next version. */
export function replaceContent(
  context: StoreContext,
  actor: Actor,
  { id, version, kept }: { id: number; version: number | undefined; kept: Kept },
  sent: ContentForm,
): Promise<ServersideFile> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const row = found(await q.lockFile(tx, store.id, id), 'File')
    if (row.upload_state === 'deleting') throw notFound('File')
    checkVersion(row.version, version)
    await useBlob(tx, store.id, kept.blob_id)
    await dropBlobs(tx, store.id, [row.blob_id])
    const content = contentOf(context, kept, { filename: row.filename, ...sent })
    await q.updateFile(tx, store.id, id, { ...content, version: row.version + 1, updated_at: now })
    const after = shown(found(await q.selectFile(tx, store.id, id), 'File'))
    const change = { action: 'serverside_file.replace', record_type: after.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before: shown(row), after }])
    return after
  })
}

export async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'serverside_file_name_taken') throw error
    throw taken('name', 'Another file of this app has this name.')
  }
}
