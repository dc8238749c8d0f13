// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Quantities and stock keys of products. */
export interface StockApi {
  /**
   * Get the stock of a variant.
   *
   * Needs the permission `stock:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, variantId: number, options?: CallOptions): Call<{
    /** The stock of the variant. */
    stock: VariantStock
  }>
  /**
   * Set the stock of a variant, or change it by a number of units.
   *
   * The `stock_mode` of the variant must be `manual`. The quantity excludes the units that unpaid
   * orders reserve. They stay reserved.
   *
   * Needs the permission `stock:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, variantId: number, body: StockPatch, options?: CallOptions): Call<{
    /** The stock of the variant. */
    stock: VariantStock
  }>
  /**
   * List the stock keys of a variant, the newest first.
   *
   * Needs the permission `stock:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listKeys(id: string, variantId: number, query?: StockListKeysQuery, options?: CallOptions): List<{ keys: StockKey[]; pagination: Pagination }, StockKey>
  /**
   * Add stock keys to a serial variant.
   *
   * A key that the variant has in stock or has sold is a duplicate. With `dry_run` nothing is
   * added.
   *
   * Needs the permission `stock:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  addKeys(id: string, variantId: number, body: StockKeysInput, options?: PostOptions): Call<{
    /** The number of keys that were added. */
    added: number
    /** The number of keys that exist already or are repeated in the call. */
    skipped: number
    /** The report of a dry run. */
    report?: StockKeyReport
  }>
  /**
   * Get a URL from which all stock keys of a variant can be downloaded as CSV.
   *
   * The download shows the complete keys. The URL is valid for 15 minutes and needs no API key.
   *
   * Needs the permission `stock:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  exportKeys(id: string, variantId: number, options?: CallOptions): Call<{
    /** The URL and its expiry. */
    export: StockKeyExport
  }>
  /**
   * Change a stock key that is not sold, or keep it from sale.
   *
   * Needs the permission `stock:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
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
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @param keyId The stock key.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  deleteKey(id: string, variantId: number, keyId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted key. */
    id: number
  }>
  /**
   * Delete all available stock keys of a variant, except those that unpaid orders reserve.
   *
   * Needs the permission `stock:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteAllKeys(id: string, variantId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The number of deleted keys. */
    count: number
  }>
  /**
   * Undo an import of stock keys.
   *
   * Deletes all keys that were added with this `import_id`. This is possible for 10 minutes after
   * the last key was added, if every key is available and no unpaid order reserves one.
   *
   * Needs the permission `stock:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The variant.
   * @param importId The `import_id` with which the keys were added.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  undoImport(id: string, variantId: number, importId: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The number of deleted keys. */
    count: number
  }>
}

/** A stock key. */
export interface StockKey {
  /** The id of the key. */
  id: number
  /** Always `stock_key`. */
  object: 'stock_key'
  /** The id of the variant. */
  variant_id: number
  /** The key; masked unless `reveal=true`. */
  value: string
  /** The status of the key. The seller keeps a `reserved` key from sale. */
  status: 'available' | 'reserved' | 'sold' | 'burned' | 'revoked'
  /** The order with which the key was sold. */
  order_id: string | null
  /** The time of the sale. */
  sold_at: string | null
  /** The time at which the key was added. */
  created_at: string
}

/** A signed URL for a download. */
export interface StockKeyExport {
  /** The URL of the CSV file. */
  url: string
  /** The time at which the URL expires. */
  expires_at: string
}

export interface StockKeyPatch {
  /** The new text of the key. */
  value?: string
  /** `reserved` keeps the key from sale. `burned` and `revoked` cannot be changed again. */
  status?: 'available' | 'reserved' | 'burned' | 'revoked'
}

/** The report of a dry run, by line numbers from 1. */
export interface StockKeyReport {
  /** The number of lines that would be added. */
  new: number
  /** The lines whose key is in stock or on an earlier line. */
  duplicate: number[]
  /** The lines whose key was in stock before, and was sold, burned or revoked. */
  already_sold: number[]
  /** The lines that cannot be a key. */
  malformed: {
    /** The line number, from 1. */
    line: number
    /** The reason why the line cannot be a key. */
    reason: string
  }[]
}

export interface StockKeysInput {
  /** The keys, 1 to 5000, each up to 2048 characters. */
  keys: string[]
  /** If false, the call is refused if the variant already has one of the keys. Default `true`. */
  skip_duplicates?: boolean
  /** If true, nothing is added, and `report` gives the result for each line. Default `false`. */
  dry_run?: boolean
  /**
   * A random text that names the import. All calls of one import send the same text. The import can
   * be undone for 10 minutes. Default: none; the keys then cannot be removed together.
   */
  import_id?: string
}

export interface StockListKeysQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only keys with one of these statuses. */
  status?: ('available' | 'reserved' | 'sold' | 'burned' | 'revoked')[]
  /** If `true`, the answer shows the complete keys. */
  reveal?: boolean
}

export interface StockPatch {
  /**
   * The number of units that can be sold from now on. Default: none; send either `quantity` or
   * `delta`.
   */
  quantity?: number
  /**
   * The number of units to add; a negative number is subtracted. Default: none; send either
   * `quantity` or `delta`.
   */
  delta?: number
}

/** The stock of a variant. */
export interface VariantStock {
  /** Always `stock`. */
  object: 'stock'
  /** The id of the variant. */
  variant_id: number
  /** The way in which stock is counted. */
  stock_mode: 'calculated' | 'manual' | 'unlimited'
  /** If false, stock is not counted. */
  track_inventory: boolean
  /** If true, orders are accepted without stock. */
  allow_backorder: boolean
  /** The units that can be sold now; null if stock is unlimited. */
  available: number | null
  /** The units in stock, including reserved ones. */
  on_hand: number
  /** The units that unpaid orders reserve, or that paid orders wait for. */
  reserved: number
  /** The units sold so far. */
  sold: number
  /** Stock counts as low at this number of units or fewer; null for never. */
  low_stock_threshold: number | null
  /** True if `available` is at the threshold or below. */
  low_stock: boolean
}
