// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'
import type { ProductDetails } from './products-records.gen.ts'
import type { DetailsPatch } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface DetailsApi {
  /**
   * Get the texts of a product's page.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ details: ProductDetails }>
  /**
   * Update the texts of a product's page. What you leave out stays; null clears.
   *
   * HTML is cleaned: what could run is removed.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: DetailsPatch, options?: CallOptions): Call<{ details: ProductDetails }>
}
