// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'
import type { ProductMethod } from './products-records.gen.ts'
import type { NewProductMethod } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface PaymentMethodsApi {
  /**
   * Get how a product can be paid.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{
    /** How it can be paid. */
    methods: ProductMethod[]
  }>
  /**
   * Say how a product can be paid. Methods that are not named keep their state.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  set(id: string, body: MethodsPatch, options?: CallOptions): Call<{
    /** How it can be paid. */
    methods: ProductMethod[]
  }>
}

export interface MethodsPatch {
  /** Methods that are not named keep their state. */
  methods: NewProductMethod[]
}
