// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'
import type { ProductSeo } from './products-records.gen.ts'
import type { SeoPatch } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface SeoApi {
  /**
   * Get the texts of a product for search engines and shares.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ seo: ProductSeo }>
  /**
   * Update the texts for search engines. What you leave out stays; null clears.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: SeoPatch, options?: CallOptions): Call<{ seo: ProductSeo }>
}
