import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, checkVersion, found, invalid, notFound } from '../../../kernel/errors.ts'
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

/** An upload in storage that no record references yet. */
export interface StoredUpload {
  blob_id: string
  file: Uploaded
}

/** Writes an upload to storage, outside of the transaction that creates its record. */
export async function keepFile(
  context: StoreContext,
  file: Uploaded | undefined,
): Promise<StoredUpload> {
  if (!file)
    throw invalid('file', 'Send a file, as multipart/form-data or application/octet-stream.')
  return { blob_id: await keepBlob(context, file), file }
}

export const shown = ({ blob_id: _, ...file }: q.FileRow): ServersideFile => file

const contentOf = ({ storage }: StoreContext, kept: StoredUpload, body: ContentForm) => ({
  blob_id: kept.blob_id,
  filename: safeFilename(body.filename ?? kept.file.name),
  content_type: body.content_type ?? typeOf(kept.file.mime_type),
  size_bytes: kept.file.size_bytes,
  sha256: kept.file.sha256,
  storage: storage.kind,
})

/** A form may send any content type. One that is not valid in a header is replaced. */
const typeOf = (mime_type: string): string =>
  /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/.test(mime_type) ? mime_type : BARE_TYPE

/** Creates the record of an upload. The bytes are stored before, so every record is complete. */
export async function createFile(
  context: StoreContext,
  actor: Actor,
  { app_id, ...body }: FileForm,
  kept: StoredUpload,
): Promise<ServersideFile> {
  const { store, now } = context
  return refuseTakenName(() =>
    inTransaction(context.db, async (tx) => {
      const app = await appNamed(tx, context, app_id)
      await useBlob(tx, store.id, kept.blob_id)
      const id = await q.insertFile(tx, store.id, {
        ...body,
        ...contentOf(context, kept, body),
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

/** Replaces the bytes of a file, as its next version. */
export function replaceContent(
  context: StoreContext,
  actor: Actor,
  { id, version, kept }: { id: number; version: number | undefined; kept: StoredUpload },
  body: ContentForm,
): Promise<ServersideFile> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const row = found(await q.lockFile(tx, store.id, id), 'File')
    if (row.upload_state === 'deleting') throw notFound('File')
    checkVersion(row.version, version)
    await useBlob(tx, store.id, kept.blob_id)
    await dropBlobs(tx, store.id, [row.blob_id])
    const content = contentOf(context, kept, { filename: row.filename, ...body })
    await q.updateFile(tx, store.id, id, { ...content, version: row.version + 1, updated_at: now })
    const after = shown(found(await q.selectFile(tx, store.id, id), 'File'))
    const change = { action: 'serverside_file.replace', record_type: after.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before: shown(row), after }])
    return after
  })
}

export async function refuseTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'serverside_file_name_taken') throw error
    throw alreadyTaken('name', 'Another file of this app has this name. Use another name.')
  }
}
