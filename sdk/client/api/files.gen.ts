// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions, PostOptions } from '../transport.ts'

/** Products, variants, texts, media and files. */
export interface FilesApi {
  /**
   * List the files of a product, each with a download URL that is valid for 15 minutes.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  list(id: string, options?: CallOptions): Call<{
    /** The files of the product, the oldest first. */
    files: ProductFile[]
  }>
  /**
   * Add a file to a product or to one variant of it.
   *
   * Send a file of at most 50 MiB as multipart/form-data, or a small file as base64 in JSON.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
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
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param fileId The id of the file.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, fileId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted file. */
    id: number
  }>
}

export type FilesCreateBody = {
  /** The file. */
  file: Blob
  /** The file name. Default: the name of the upload. */
  name?: string
  /** The id of the variant. Default: all variants. */
  variant_id?: number
} | ProductFileInput

/** A file that buyers of a product can download. */
export interface ProductFile {
  /** The id of the file. */
  id: number
  /** Always `product_file`. */
  object: 'product_file'
  /** The id of the variant; null for all variants. */
  variant_id: number | null
  /** The name of the file. */
  name: string
  /** The size in bytes. */
  size_bytes: number
  /** The media type that was sent with the upload. */
  mime_type: string
  /** The SHA-256 checksum in hexadecimal. */
  sha256: string
  /** A signed URL from which the file can be downloaded for 15 minutes. */
  download_url: string
  /** The time when the file was added. */
  created_at: string
}

export interface ProductFileInput {
  /** The file name; folders are removed. */
  name: string
  /** The content in base64. Send a larger file as multipart/form-data. */
  content_base64: string
  /** The media type. Default: `application/octet-stream`. */
  mime_type?: string
  /** The id of the variant. Default: all variants. */
  variant_id?: number
}
