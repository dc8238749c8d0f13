// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { ProductMedia } from './products-records.gen.ts'

/** Products, variants, texts, media and files. */
export interface MediaApi {
  /**
   * List the pictures and videos of a product, by position.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  list(id: string, options?: CallOptions): Call<{
    /** All pictures and videos of the product, by position. */
    media: ProductMedia[]
  }>
  /**
   * Add a picture or a video to a product, by URL or as an upload.
   *
   * An upload can be a PNG, JPEG, GIF, WebP, AVIF, MP4 or WebM file of at most 50 MiB. A picture
   * with a URL is fetched and stored; it can have at most 10 MiB. The first image is the main
   * image.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`
   */
  create(id: string, body: MediaCreateBody, options?: PostOptions): Call<{
    /** The picture or video. */
    media: ProductMedia
  }>
  /**
   * Sort the pictures and videos of a product.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  order(id: string, body: MediaOrderInput, options?: CallOptions): Call<{
    /** All pictures and videos of the product, by position. */
    media: ProductMedia[]
  }>
  /**
   * Make an image the main image, or change the details of a picture or video.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param mediaId The id of the picture or video.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, mediaId: number, body: MediaPatch, options?: CallOptions): Call<{
    /** The picture or video. */
    media: ProductMedia
  }>
  /**
   * Delete a picture or video. If it was the main image, the next image becomes the main image.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param mediaId The id of the picture or video.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, mediaId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted record. */
    id: number
  }>
}

export type MediaCreateBody = {
  /** The file. */
  file: Blob
  /** The kind. Default: the kind of the file. */
  kind?: 'image' | 'video'
  /**
   * True for the main image of the product. A video cannot be the main image. Default: true for the
   * first image of the product, otherwise false.
   */
  is_main?: 'true' | 'false'
} | MediaInput

export interface MediaInput {
  /** The URL of the picture or video. A picture is fetched and stored. A video is not copied. */
  url: string
  /** The kind. It is detected for an upload. Default `"image"`. */
  kind?: 'image' | 'video'
  /**
   * True for the main image of the product. A video cannot be the main image. Default: true for the
   * first image of the product, otherwise false.
   */
  is_main?: boolean
}

export interface MediaOrderInput {
  /** All ids, each once, in the new order. */
  ids: number[]
}

export interface MediaPatch {
  /** True for the main image of the product. A video cannot be the main image. */
  is_main?: boolean
  /** Details such as an alternative text. They replace all previous details. */
  meta?: Record<string, string | number | boolean>
}
