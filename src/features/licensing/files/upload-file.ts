import { invalid } from '../../../kernel/errors.ts'
import type { UploadedFile } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addBlobUse, type KeyActor, storeBlob } from '../../installation/index.ts'
import type { RecordAndVersion } from '../app-records/index.ts'
import { changeContent } from './change-content.ts'
import { files } from './file-records.ts'
import { safeFilename } from './filename.rules.ts'
import * as q from './queries.ts'
import type { ContentForm, FileForm, ServersideFile } from './schema.ts'

const FALLBACK_TYPE = 'application/octet-stream'

/** An upload in storage that no record references yet. */
interface StoredUpload {
  blob_id: string
  file: UploadedFile
}

/** Writes an upload to storage, outside of the transaction that creates its record. */
export async function storeUpload(
  context: StoreContext,
  file: UploadedFile | undefined,
): Promise<StoredUpload> {
  if (!file)
    throw invalid('file', 'Send a file, as multipart/form-data or application/octet-stream.')
  return { blob_id: await storeBlob(context, file), file }
}

const contentOf = ({ storage }: StoreContext, upload: StoredUpload, body: ContentForm) => ({
  blob_id: upload.blob_id,
  filename: safeFilename(body.filename ?? upload.file.name),
  content_type: body.content_type ?? contentTypeOf(upload.file.mime_type),
  size_bytes: upload.file.size_bytes,
  sha256: upload.file.sha256,
  storage: storage.kind,
})

/** Returns the content type of an upload. Replaces a text that is not valid in a header. */
const contentTypeOf = (mime_type: string): string =>
  /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/.test(mime_type) ? mime_type : FALLBACK_TYPE

/** Creates the record of an upload whose bytes are already in storage. */
export function createFile(
  context: StoreContext,
  actor: KeyActor,
  { app_id, ...body }: FileForm,
  upload: StoredUpload,
): Promise<ServersideFile> {
  const { store, now } = context
  return files.create(context, actor, {
    app_id,
    async insert(tx, app) {
      await addBlobUse(tx, store.id, upload.blob_id)
      return q.insertFile(tx, store.id, {
        ...body,
        ...contentOf(context, upload, body),
        app_id: app.id,
        upload_state: 'ready',
        version: 1,
        created_at: now,
        updated_at: now,
      })
    },
  })
}

/** Replaces the bytes of a file, as its next version. The former content is stored. */
export function replaceContent(
  context: StoreContext,
  actor: KeyActor,
  { upload, ...target }: RecordAndVersion & { upload: StoredUpload },
  body: ContentForm,
): Promise<ServersideFile> {
  return files.change(context, actor, {
    ...target,
    verb: 'replace',
    async update(tx, row, next) {
      const content = contentOf(context, upload, { filename: row.filename, ...body })
      await changeContent(tx, context, actor, { id: row.id, ...next, content })
    },
  })
}
