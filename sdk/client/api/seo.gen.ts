// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'
import type { ProductSeo } from './products-records.gen.ts'
import type { SeoPatch } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface SeoApi {
  /**
   * Get the texts of a product for search engines and link previews.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{
    /** The texts for search engines and link previews. */
    seo: ProductSeo
  }>
  /**
   * Update the texts for search engines and link previews. Absent fields keep their values; null
   * clears a field.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: SeoPatch, options?: CallOptions): Call<{
    /** The texts for search engines and link previews. */
    seo: ProductSeo
  }>
}
