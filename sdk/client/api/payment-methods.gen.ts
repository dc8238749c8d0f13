// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'
import type { ProductMethod } from './products-records.gen.ts'
import type { ProductMethodInput } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface PaymentMethodsApi {
  /**
   * Get the payment methods of a product.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{
    /** The payment methods of the product. */
    methods: ProductMethod[]
  }>
  /**
   * Set the payment methods of a product. Absent methods keep their state.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  set(id: string, body: MethodsPatch, options?: CallOptions): Call<{
    /** The payment methods of the product. */
    methods: ProductMethod[]
  }>
}

export interface MethodsPatch {
  /** The payment methods to change. Other methods keep their setting. */
  methods: ProductMethodInput[]
}
