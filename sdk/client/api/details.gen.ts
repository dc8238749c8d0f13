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
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ details: ProductDetails }>
  /**
   * Update the texts of a product's page. Absent fields keep their values; null clears a field.
   *
   * Scripts and other active content are removed from HTML.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: DetailsPatch, options?: CallOptions): Call<{ details: ProductDetails }>
}
