import { sql } from 'kysely'
import { anyOf } from '../../../db/arrays.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { deleteRecord, insertRecord } from '../../../db/records.ts'
import { allRows, execute, firstRow } from '../../../db/rows.ts'
import type { Media, ProductFile } from './schema.ts'

const MEDIA = sql`id, kind, url, position, is_main, meta, created_at`

export interface StoredMedia extends Media {
  blob_id: string | null
}

/** Returns the pictures and videos of a product, by position. */
export const selectMedia = (db: Db, storeId: number, productId: number) =>
  allRows<StoredMedia>(db)`
    select ${MEDIA}, blob_id from product_media
     where store_id = ${storeId} and product_id = ${productId}
     order by position, id`

interface NewMediaRow {
  kind: Media['kind']
  url: string
  blob_id: string | null
  position: number
  is_main: boolean
  meta: Media['meta']
  created_at: string
}

export const insertMedia = (
  tx: Tx,
  storeId: number,
  productId: number,
  { meta, ...fields }: NewMediaRow,
) =>
  insertRecord(tx, 'product_media', {
    ...fields,
    meta: JSON.stringify(meta),
    store_id: storeId,
    product_id: productId,
  })

/** Makes an image the only main image of a product. */
export async function setMain(tx: Tx, storeId: number, productId: number, id: number) {
  await clearMain(tx, storeId, productId, sql`and id <> ${id}`)
  await sql`
    update product_media set is_main = true
     where store_id = ${storeId} and product_id = ${productId} and id = ${id}`.execute(tx)
}

/** Makes no image the main image of a product, or none of those that match the condition. */
export const clearMain = (tx: Tx, storeId: number, productId: number, condition = sql``) =>
  execute(tx)`
    update product_media set is_main = false
     where store_id = ${storeId} and product_id = ${productId} and is_main ${condition}`

export async function updateMeta(tx: Tx, storeId: number, id: number, meta: Media['meta']) {
  await sql`
    update product_media set meta = ${JSON.stringify(meta)}::jsonb
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

export const deleteMedia = (tx: Tx, storeId: number, id: number) =>
  deleteRecord(tx, 'product_media', { storeId, id })

/** Sets the positions of media, in the sequence of the ids. Returns false if they have them already. */
export async function updatePositions(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update product_media m
       set position = sorted.position - 1
      from unnest(${ids}::bigint[]) with ordinality as sorted(id, position)
     where m.store_id = ${storeId} and m.id = sorted.id
       and m.position <> sorted.position - 1`.execute(tx)
  return numAffectedRows !== 0n
}

export type StoredFile = Omit<ProductFile, 'object' | 'download_url'> & { blob_id: string }

const FILE = [
  'id',
  'variant_id',
  'name',
  'size_bytes',
  'mime_type',
  'sha256',
  'created_at',
  'blob_id',
] as const

export const selectFiles = (db: Db, storeId: number, productId: number): Promise<StoredFile[]> =>
  db
    .selectFrom('product_file')
    .select(FILE)
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .orderBy('id')
    .execute()

export const insertFile = (
  tx: Tx,
  storeId: number,
  row: Omit<StoredFile, 'id'> & { product_id: number },
): Promise<StoredFile> =>
  tx
    .insertInto('product_file')
    .values({ ...row, store_id: storeId })
    .returning(FILE)
    .executeTakeFirstOrThrow()

export const deleteFile = (tx: Tx, storeId: number, productId: number, id: number) =>
  tx
    .deleteFrom('product_file')
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .where('id', '=', id)
    .returning('blob_id')
    .executeTakeFirst()

interface LinkedFile extends Pick<StoredFile, 'name' | 'mime_type' | 'size_bytes'> {
  sha256: string
  blob_id: string
  clock_offset_ms: number
  /** True if the order whose buyer has the link is on hold. */
  is_on_hold: boolean
}

/** Returns the file of a signed link, with the offset of the store's clock, by which the link expires. */
export const selectLinkedFile = (
  db: Db,
  { storeId, fileId, orderId }: { storeId: number; fileId: number; orderId: string | null },
) =>
  firstRow<LinkedFile>(db)`
    select f.name, f.mime_type, f.size_bytes, f.sha256, f.blob_id, s.clock_offset_ms,
           exists (select from "order" o
                    where o.store_id = f.store_id and o.id = ${orderId} and o.hold is not null) as is_on_hold
      from product_file f
      join store s on s.id = f.store_id
     where f.store_id = ${storeId} and f.id = ${fileId}`

/** Returns the ids of the variants that have files to download. */
export async function selectDownloadableVariants(
  db: Db,
  storeId: number,
  variantIds: readonly number[],
): Promise<Set<number>> {
  if (variantIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select v.id
      from variant v
     where v.store_id = ${storeId} and v.id = ${anyOf(variantIds, 'bigint')}
       and exists (select from product_file f
                    where f.store_id = v.store_id and f.product_id = v.product_id
                      and (f.variant_id is null or f.variant_id = v.id))`.execute(db)
  return new Set(rows.map((row) => row.id))
}
