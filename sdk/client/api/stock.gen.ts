// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Quantities and stock keys, and access to them. */
export interface StockApi {
  /**
   * Get the stock of a variant.
   *
   * Needs the permission `stock:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, variantId: number, options?: CallOptions): Call<{
    /** The stock of the variant. */
    stock: VariantStock
  }>
  /**
   * Set what there is to sell of a variant, or add to it and take from it.
   *
   * For `stock_mode` manual. What unpaid orders hold stays theirs and is not part of the quantity.
   *
   * Needs the permission `stock:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, variantId: number, body: StockPatch, options?: CallOptions): Call<{
    /** The stock of the variant. */
    stock: VariantStock
  }>
  /**
   * List the stock keys of a variant, newest first.
   *
   * Needs the permission `stock:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listKeys(id: string, variantId: number, query?: StockListKeysQuery, options?: CallOptions): List<{ keys: StockKey[]; pagination: Pagination }, StockKey>
  /**
   * Add stock keys to a serial variant.
   *
   * A key that the variant has, or had and sold, is a duplicate. With `dry_run` nothing is added.
   *
   * Needs the permission `stock:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  addKeys(id: string, variantId: number, body: NewStockKeys, options?: PostOptions): Call<{
    /** Keys that are new. */
    added: number
    /** Keys that were there already, or stood twice in the call. */
    skipped: number
    /** The report of a dry run. */
    report?: StockKeyReport
  }>
  /**
   * Get an address that downloads all stock keys of a variant as CSV.
   *
   * It shows the keys in full and needs no API key, for 15 minutes.
   *
   * Needs the permission `stock:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  exportKeys(id: string, variantId: number, options?: CallOptions): Call<{
    /** The address, and until when it is one. */
    export: StockKeyExport
  }>
  /**
   * Change a stock key that is not sold, hold it back, or withdraw it.
   *
   * Needs the permission `stock:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @param keyId The stock key.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  updateKey(id: string, variantId: number, keyId: number, body: StockKeyPatch, options?: CallOptions): Call<{
    /** The key, masked. */
    key: StockKey
  }>
  /**
   * Delete an available stock key.
   *
   * Needs the permission `stock:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @param keyId The stock key.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  deleteKey(id: string, variantId: number, keyId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The key that is gone. */
    id: number
  }>
  /**
   * Delete all available stock keys of a variant that no unpaid order holds.
   *
   * Needs the permission `stock:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteAllKeys(id: string, variantId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** Keys that are gone. */
    count: number
  }>
  /**
   * Undo an import of stock keys.
   *
   * Deletes all keys that were added with this `import_id`. It works for 10 minutes after the last
   * of them, while each is available and no unpaid order needs one.
   *
   * Needs the permission `stock:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @param importId The `import_id` that the keys were added with.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  undoImport(id: string, variantId: number, importId: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** Keys that were deleted. */
    count: number
  }>
}

export interface NewStockKeys {
  /** The keys, 1 to 5000, each up to 2048 characters. */
  keys: string[]
  /** When false, one key that is there already refuses the call. Default `true`. */
  skip_duplicates?: boolean
  /** When true, nothing is added; `report` says what each line is. Default `false`. */
  dry_run?: boolean
  /**
   * A random text that names the import. All calls of one import send the same; it can be undone
   * for 10 minutes.
   */
  import_id?: string
}

/** A stock key. */
export interface StockKey {
  /** The id of the key. */
  id: number
  /** Always `stock_key`. */
  object: 'stock_key'
  /** The variant it is stock of. */
  variant_id: number
  /** The key; masked unless `reveal=true`. */
  value: string
  /** `reserved` is held back by the seller. */
  status: 'available' | 'reserved' | 'sold' | 'burned' | 'revoked'
  /** The order it was sold with. */
  order_id: string | null
  /** When it was sold. */
  sold_at: string | null
  /** When it was added. */
  created_at: string
}

/** A signed address of a download. */
export interface StockKeyExport {
  /** The URL of the CSV. */
  url: string
  /** Until when. */
  expires_at: string
}

export interface StockKeyPatch {
  /** Another text. */
  value?: string
  /** `reserved` holds it back; `burned` and `revoked` are final. */
  status?: 'available' | 'reserved' | 'burned' | 'revoked'
}

/** The findings of a dry run, by line numbers from 1. */
export interface StockKeyReport {
  /** Lines that would be added. */
  new: number
  /** Lines whose key is in stock, or stands on an earlier line. */
  duplicate: number[]
  /** Lines whose key is no longer in stock: it was sold, or withdrawn. */
  already_sold: number[]
  /** Lines that cannot be a key. */
  malformed: {
    /** From 1. */
    line: number
    /** Why. */
    reason: string
  }[]
}

export interface StockListKeysQuery extends PageQuery {
  /** `available`, `reserved`, `sold`, `burned`, `revoked`. */
  status?: ('available' | 'reserved' | 'sold' | 'burned' | 'revoked')[]
  /** `true` shows the keys in full. */
  reveal?: boolean
}

export interface StockPatch {
  /** Units to sell from now on. */
  quantity?: number
  /** Units more, or fewer where negative. */
  delta?: number
}

/** The stock of a variant. */
export interface VariantStock {
  /** Always `stock`. */
  object: 'stock'
  /** The variant it is stock of. */
  variant_id: number
  /** How it is counted. */
  stock_mode: 'calculated' | 'manual' | 'unlimited'
  /** When false, stock is not counted. */
  track_inventory: boolean
  /** When true, orders pass without stock. */
  allow_backorder: boolean
  /** Units that can be sold now; null where there is no end. */
  available: number | null
  /** Units there are, held ones included. */
  on_hand: number
  /** Units that unpaid orders hold. */
  reserved: number
  /** Units ever sold. */
  sold: number
  /** Units at which stock counts as low. */
  low_stock_threshold: number | null
  /** True if stock is at its threshold or below. */
  low_stock: boolean
}
