// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions, PostOptions } from '../transport.ts'

/** Products, variants, texts, media and files. */
export interface FilesApi {
  /**
   * List the files of a product, each with an address to download it for 15 minutes.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  list(id: string, options?: CallOptions): Call<{
    /** In the order they were added. */
    files: ProductFile[]
  }>
  /**
   * Add a file to a product or to one variant of it.
   *
   * Up to 50 MiB as multipart/form-data, or a small one as base64 in JSON.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`
   */
  create(id: string, body: FilesCreateBody, options?: PostOptions): Call<{
    /** The file. */
    file: ProductFile
  }>
  /**
   * Delete a file.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param fileId The file.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, fileId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The file that is gone. */
    id: number
  }>
}

export type FilesCreateBody = NewProductFile | {
  /** The file. */
  file: Blob
  /** The file name; the name of the upload if omitted. */
  name?: string
  /** The id of the variant; all variants if omitted. */
  variant_id?: number
}

export interface NewProductFile {
  /** The file name; folders are removed. */
  name: string
  /** The bytes. Send a larger file as multipart/form-data. */
  content_base64: string
  /** The kind. */
  mime_type?: string
  /** The id of the variant; all variants if omitted. */
  variant_id?: number
}

/** A file that buyers of a product download. */
export interface ProductFile {
  /** The id of the file. */
  id: number
  /** Always `product_file`. */
  object: 'product_file'
  /** The id of the variant; null for all variants. */
  variant_id: number | null
  /** The name. */
  name: string
  /** How large it is. */
  size_bytes: number
  /** The type that was sent with the upload. */
  mime_type: string
  /** Its checksum, in hex. */
  sha256: string
  /** A signed address to download it from, for 15 minutes. */
  download_url: string
  /** When it was added. */
  created_at: string
}
