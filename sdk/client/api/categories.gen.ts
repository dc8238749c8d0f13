// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Lists of products in the store. */
export interface CategoriesApi {
  /**
   * List categories, by position.
   *
   * Needs the permission `categories:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: CategoriesListQuery, options?: CallOptions): List<{ categories: Category[]; pagination: Pagination }, Category>
  /**
   * Create a category, behind the others.
   *
   * Needs the permission `categories:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewCategory, options?: PostOptions): Call<{ category: Category }>
  /**
   * Give all categories a new order.
   *
   * Needs the permission `categories:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  reorder(body: CategoriesReorderBody, options?: CallOptions): Call<{
    /** All of them, in their new order. */
    categories: Category[]
  }>
  /**
   * Get a category.
   *
   * Needs the permission `categories:read`.
   * @param id The category.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ category: Category }>
  /**
   * Update a category. Fields you leave out keep their value; null clears.
   *
   * Needs the permission `categories:write`.
   * @param id The category.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: CategoryPatch, options?: CallOptions): Call<{ category: Category }>
  /**
   * Say which products are in a category; all others leave it.
   *
   * Needs the permission `categories:write`.
   * @param id The category.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  putProducts(id: number, body: CategoryProducts, options?: CallOptions): Call<{ category: Category }>
  /**
   * Delete a category. Its products stay.
   *
   * Needs the permission `categories:write`.
   * @param id The category.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The category that is gone. */
    id: number
  }>
}

export type CategoriesListQuery = PageQuery

export interface CategoriesReorderBody {
  /** All ids, each once, in the new order. */
  ids: number[]
}

/** The category. */
export interface Category {
  /** The id of the category. */
  id: number
  /** Always `category`. */
  object: 'category'
  /** The name. */
  name: string
  /** The name in addresses, unique in the store; generated from the name if absent. */
  slug: string
  /** The description for customers. */
  description: string | null
  /** A picture of it. */
  image_url: string | null
  /** `public` groups are listed in the storefront; others are visible only at their address. */
  visibility: 'public' | 'unlisted'
  /** Its icon, such as a name or an emoji. */
  icon: string | null
  /** Its position, from 0. */
  position: number
  /** Products in it. */
  product_count: number
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type CategoryPatch = Partial<Pick<
  Category,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility' | 'icon'
>>

export interface CategoryProducts {
  /** Its products from now on, each once. */
  product_ids: string[]
}

export interface NewCategory {
  /** The name. */
  name: string
  /** The name in addresses, unique in the store; generated from the name if absent. */
  slug?: string
  /** The description for customers. */
  description?: string | null
  /** A picture of it. */
  image_url?: string | null
  /**
   * `public` groups are listed in the storefront; others are visible only at their address. Default
   * `"public"`.
   */
  visibility?: 'public' | 'unlisted'
  /** Its icon, such as a name or an emoji. */
  icon?: string | null
}
