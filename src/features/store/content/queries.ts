import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Media, ProductFile } from './schema.ts'

const MEDIA = sql`id, kind, url, position, is_main, meta, created_at`

export interface StoredMedia extends Media {
  blob_id: string | null
}

/** The pictures and videos of a product, by position. */
export async function selectMedia(
  db: Db,
  storeId: number,
  productId: number,
): Promise<StoredMedia[]> {
  const { rows } = await sql<StoredMedia>`
    select ${MEDIA}, blob_id from product_media
     where store_id = ${storeId} and product_id = ${productId}
     order by position, id`.execute(db)
  return rows
}

export interface NewMediaRow {
  kind: Media['kind']
  url: string
  blob_id: string | null
  position: number
  is_main: boolean
  meta: Media['meta']
  created_at: string
}

export async function insertMedia(
  tx: Tx,
  storeId: number,
  productId: number,
  { meta, ...row }: NewMediaRow,
): Promise<number> {
  const made = await tx
    .insertInto('product_media')
    .values({ ...row, meta: JSON.stringify(meta), store_id: storeId, product_id: productId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Makes this one the only main image; without an id, no image is the main one. */
export async function setMain(tx: Tx, storeId: number, productId: number, id?: number) {
  await sql`
    update product_media set is_main = false
     where store_id = ${storeId} and product_id = ${productId} and is_main
       and id <> ${id ?? 0}`.execute(tx)
  if (id === undefined) return
  await sql`
    update product_media set is_main = true
     where store_id = ${storeId} and product_id = ${productId} and id = ${id}`.execute(tx)
}

export async function updateMeta(tx: Tx, storeId: number, id: number, meta: Media['meta']) {
  await sql`
    update product_media set meta = ${JSON.stringify(meta)}::jsonb
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

export async function deleteMedia(tx: Tx, storeId: number, id: number) {
  await tx
    .deleteFrom('product_media')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export async function placeMedia(tx: Tx, storeId: number, ids: readonly number[]) {
  await sql`
    update product_media m
       set position = o.place - 1
      from unnest(${ids}::bigint[]) with ordinality as o(id, place)
     where m.store_id = ${storeId} and m.id = o.id`.execute(tx)
}

export type StoredFile = Omit<ProductFile, 'object' | 'download_url'> & { blob_id: string }

const FILE = [
  ...(['id', 'variant_id', 'name', 'size_bytes', 'mime_type', 'sha256'] as const),
  ...(['created_at', 'blob_id'] as const),
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

export interface LinkedFile extends Pick<StoredFile, 'name' | 'mime_type' | 'size_bytes'> {
  sha256: string
  blob_id: string
  clock_offset_ms: number
}

/** A file as a link names it, with the clock that its link runs by. */
export async function selectLinked(
  db: Db,
  storeId: number,
  id: number,
): Promise<LinkedFile | undefined> {
  const { rows } = await sql<LinkedFile>`
    select f.name, f.mime_type, f.size_bytes, f.sha256, f.blob_id, s.clock_offset_ms
      from product_file f
      join store s on s.id = f.store_id
     where f.store_id = ${storeId} and f.id = ${id}`.execute(db)
  return rows[0]
}

/** Those of these variants whose customers have something to download. */
export async function selectFiled(
  db: Db,
  storeId: number,
  variantIds: readonly number[],
): Promise<Set<number>> {
  if (variantIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select v.id
      from variant v
     where v.store_id = ${storeId} and v.id = any(${variantIds}::bigint[])
       and exists (select from product_file f
                    where f.store_id = v.store_id and f.product_id = v.product_id
                      and (f.variant_id is null or f.variant_id = v.id))`.execute(db)
  return new Set(rows.map((row) => row.id))
}
