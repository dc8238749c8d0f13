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
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  list(id: string, options?: CallOptions): Call<{
    /** All of the product, by position. */
    media: ProductMedia[]
  }>
  /**
   * Add a picture or a video to a product, by address or as an upload.
   *
   * PNG, JPEG, GIF, WebP, AVIF, MP4 and WebM, up to 50 MiB. A picture by address is fetched, up to
   * 10 MiB, and kept. The first image is the main one.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`
   */
  create(id: string, body: MediaCreateBody, options?: PostOptions): Call<{
    /** The picture or video. */
    media: ProductMedia
  }>
  /**
   * Put the pictures and videos of a product in another order.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  order(id: string, body: NewMediaOrder, options?: CallOptions): Call<{
    /** All of the product, by position. */
    media: ProductMedia[]
  }>
  /**
   * Make an image the main one, or say facts about a picture or video.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param mediaId The picture or video.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, mediaId: number, body: MediaPatch, options?: CallOptions): Call<{
    /** The picture or video. */
    media: ProductMedia
  }>
  /**
   * Delete a picture or video. Where the main one goes, the next image follows.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param mediaId The picture or video.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, mediaId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The id of the deleted record. */
    id: number
  }>
}

export type MediaCreateBody = NewMedia | {
  /** The file. */
  file: Blob
  /** The kind; detected for an upload. */
  kind?: 'image' | 'video'
  /** True for the main image of the product; a video cannot be it. */
  is_main?: 'true' | 'false'
}

export interface MediaPatch {
  /** True for the main image of the product; a video cannot be it. */
  is_main?: boolean
  /** Details such as an alternative text; replaces all earlier ones. */
  meta?: Record<string, string | number | boolean>
}

export interface NewMedia {
  /** The URL. A picture is fetched and stored; a video stays at its address. */
  url: string
  /** The kind; detected for an upload. Default `"image"`. */
  kind?: 'image' | 'video'
  /** True for the main image of the product; a video cannot be it. */
  is_main?: boolean
}

export interface NewMediaOrder {
  /** All ids, each once, in the new order. */
  ids: number[]
}
