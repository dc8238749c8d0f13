// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Products shown together as one. */
export interface GroupsApi {
  /**
   * List groups, by position.
   *
   * Needs the permission `groups:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: GroupsListQuery, options?: CallOptions): List<{ groups: Group[]; pagination: Pagination }, Group>
  /**
   * Create a group, behind the others.
   *
   * Needs the permission `groups:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewGroup, options?: PostOptions): Call<{ group: Group }>
  /**
   * Give all groups a new order.
   *
   * Needs the permission `groups:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  reorder(body: GroupsReorderBody, options?: CallOptions): Call<{
    /** All of them, in their new order. */
    groups: Group[]
  }>
  /**
   * Get a group.
   *
   * Needs the permission `groups:read`.
   * @param id The group.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ group: Group }>
  /**
   * Update a group. Fields you leave out keep their value; null clears.
   *
   * Needs the permission `groups:write`.
   * @param id The group.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: GroupPatch, options?: CallOptions): Call<{ group: Group }>
  /**
   * Say which products are in a group; all others leave it.
   *
   * Keeps their order. A product is in at most one group: one that is in another leaves that.
   *
   * Needs the permission `groups:write`.
   * @param id The group.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  putProducts(id: number, body: GroupProducts, options?: CallOptions): Call<{ group: Group }>
  /**
   * Delete a group. Its products stay.
   *
   * Needs the permission `groups:write`.
   * @param id The group.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The group that is gone. */
    id: number
  }>
}

/** A card that holds several products. */
export interface Group {
  /** The id of the group. */
  id: number
  /** Always `group`. */
  object: 'group'
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
  /** Its products by hash, in their order. */
  product_ids: string[]
  /** Its position, from 0. */
  position: number
  /** Products in it. */
  product_count: number
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type GroupPatch = Partial<Pick<
  Group,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility'
>>

export interface GroupProducts {
  /** Its products from now on, each once. */
  product_ids: string[]
}

export type GroupsListQuery = PageQuery

export interface GroupsReorderBody {
  /** All ids, each once, in the new order. */
  ids: number[]
}

export interface NewGroup {
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
}
