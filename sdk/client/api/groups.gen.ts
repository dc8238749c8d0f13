// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Groups, which show several products as one card. */
export interface GroupsApi {
  /**
   * List groups, by position.
   *
   * Needs the permission `groups:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: GroupsListQuery, options?: CallOptions): List<{ groups: Group[]; pagination: Pagination }, Group>
  /**
   * Create a group, at the last position.
   *
   * Needs the permission `groups:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: GroupInput, options?: PostOptions): Call<{ group: Group }>
  /**
   * Sort all groups.
   *
   * Needs the permission `groups:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  reorder(body: GroupsReorderBody, options?: CallOptions): Call<{
    /** All groups, in the new order. */
    groups: Group[]
  }>
  /**
   * Get a group.
   *
   * Needs the permission `groups:read`.
   * @param id The id of the group.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ group: Group }>
  /**
   * Update a group. Absent fields keep their values; null clears a field.
   *
   * Needs the permission `groups:write`.
   * @param id The id of the group.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: GroupPatch, options?: CallOptions): Call<{ group: Group }>
  /**
   * Set the products of a group. All other products are removed from it.
   *
   * The products are shown in the sequence of `product_ids`. A product is in at most one group: if
   * it is in another group, it is removed from that group.
   *
   * Needs the permission `groups:write`.
   * @param id The id of the group.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  putProducts(id: number, body: GroupProducts, options?: CallOptions): Call<{ group: Group }>
  /**
   * Delete a group. Its products are not deleted.
   *
   * Needs the permission `groups:write`.
   * @param id The id of the group.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted group. */
    id: number
  }>
}

/** Several products that the storefront shows as one card. */
export interface Group {
  /** The id of the group. */
  id: number
  /** Always `group`. */
  object: 'group'
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
  /** The hashes of its products, in their sort order. */
  product_ids: string[]
  /** The position in the list, from 0. */
  position: number
  /** The number of its products. */
  product_count: number
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface GroupInput {
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
}

export type GroupPatch = Partial<Pick<
  Group,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility'
>>

export interface GroupProducts {
  /** The ids of all its products, each once. */
  product_ids: string[]
}

export interface GroupsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
}

export interface GroupsReorderBody {
  /** All ids, each once, in the new order. */
  ids: number[]
}
