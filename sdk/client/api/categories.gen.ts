// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Categories, which list products in the store. */
export interface CategoriesApi {
  /**
   * List categories, by position.
   *
   * Needs the permission `categories:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: CategoriesListQuery, options?: CallOptions): List<{ categories: Category[]; pagination: Pagination }, Category>
  /**
   * Create a category, at the last position.
   *
   * Needs the permission `categories:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: CategoryInput, options?: PostOptions): Call<{ category: Category }>
  /**
   * Sort all categories.
   *
   * Needs the permission `categories:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  reorder(body: CategoriesReorderBody, options?: CallOptions): Call<{
    /** All categories, in the new order. */
    categories: Category[]
  }>
  /**
   * Get a category.
   *
   * Needs the permission `categories:read`.
   * @param id The id of the category.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ category: Category }>
  /**
   * Update a category. Absent fields keep their values; null clears a field.
   *
   * Needs the permission `categories:write`.
   * @param id The id of the category.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: CategoryPatch, options?: CallOptions): Call<{ category: Category }>
  /**
   * Set the products of a category. All other products are removed from it.
   *
   * Needs the permission `categories:write`.
   * @param id The id of the category.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  putProducts(id: number, body: CategoryProducts, options?: CallOptions): Call<{ category: Category }>
  /**
   * Delete a category. Its products are not deleted.
   *
   * Needs the permission `categories:write`.
   * @param id The id of the category.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted category. */
    id: number
  }>
}

export interface CategoriesListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
}

export interface CategoriesReorderBody {
  /** All ids, each once, in the new order. */
  ids: number[]
}

/** A list of products in the storefront. */
export interface Category {
  /** The id of the category. */
  id: number
  /** Always `category`. */
  object: 'category'
  /** The name. */
  name: string
  /** The name in URLs, unique among the categories or groups of the store. */
  slug: string
  /** The description for customers. */
  description: string | null
  /** The URL of a picture. */
  image_url: string | null
  /** If `public`, it is listed in the storefront. If `unlisted`, it can be seen only at its URL. */
  visibility: 'public' | 'unlisted'
  /** The icon, such as its name or an emoji. */
  icon: string | null
  /** The position in the list, from 0. */
  position: number
  /** The number of its products. */
  product_count: number
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface CategoryInput {
  /** The name. */
  name: string
  /**
   * The name in URLs, unique among the categories or groups of the store. Default: made from the
   * name.
   */
  slug?: string
  /** The description for customers. */
  description?: string | null
  /** The URL of a picture. */
  image_url?: string | null
  /**
   * If `public`, it is listed in the storefront. If `unlisted`, it can be seen only at its URL.
   * Default `"public"`.
   */
  visibility?: 'public' | 'unlisted'
  /** The icon, such as its name or an emoji. */
  icon?: string | null
}

export type CategoryPatch = Partial<Pick<
  Category,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility' | 'icon'
>>

export interface CategoryProducts {
  /** The ids of all its products, each once. */
  product_ids: string[]
}
