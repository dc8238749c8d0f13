// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Shipping zones, rates, locations and parcels. */
export interface FulfillmentsApi {
  /**
   * List fulfillments, the newest first.
   *
   * Needs the permission `fulfillment:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: FulfillmentsListQuery, options?: CallOptions): List<{ fulfillments: Fulfillment[]; pagination: Pagination }, Fulfillment>
  /**
   * Get a fulfillment.
   *
   * Needs the permission `fulfillment:read`.
   * @param id The id of the fulfillment.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ fulfillment: Fulfillment }>
  /**
   * Ship some or all of the remaining physical units of a paid order.
   *
   * The parcel has the status `shipped`, unless `shipment_status` says otherwise. The order is
   * completed when all physical units are shipped and no other delivery is pending.
   *
   * Needs the permission `fulfillment:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  create(id: string, body?: FulfillmentInput, options?: PostOptions): Call<{ fulfillment: Fulfillment }>
  /**
   * Change the tracking or the status of a fulfillment.
   *
   * `shipment_status` also sets `status`: `label_printed` makes it `open`, `delivered` makes it
   * `delivered`, `failure` makes it `failed`, and the others make it `shipped`.
   *
   * Needs the permission `fulfillment:write`.
   * @param id The id of the fulfillment.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: FulfillmentPatch, options?: CallOptions): Call<{ fulfillment: Fulfillment }>
  /**
   * Cancel a fulfillment. Its units can then be shipped again.
   *
   * Needs the permission `fulfillment:write`.
   * @param id The id of the fulfillment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancel(id: number, options?: PostOptions): Call<{ fulfillment: Fulfillment }>
}

/** A parcel of an order. */
export interface Fulfillment {
  /** The id of the fulfillment. */
  id: number
  /** Always `fulfillment`. */
  object: 'fulfillment'
  /** The id of the order. */
  order_id: string
  /** The status. An `open` parcel waits for the carrier. */
  status: 'open' | 'shipped' | 'delivered' | 'cancelled' | 'failed'
  /** The status that the carrier reports; null if unknown. */
  shipment_status:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
  /** The id of the location that the parcel starts from; null if unknown. */
  location_id: number | null
  /** The code of the carrier. */
  carrier_code: string
  /** The tracking number of the carrier. */
  tracking_number: string | null
  /** The URL of the tracking page. */
  tracking_url: string | null
  /** The items of the parcel. */
  items: {
    /** The id of the order line. */
    order_item_id: number
    /** The number of units. */
    quantity: number
  }[]
  /** The time at which the parcel was shipped. */
  shipped_at: string | null
  /** The time at which the parcel was delivered. */
  delivered_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface FulfillmentInput {
  /** The items of the parcel. Default: all units that are not shipped yet. */
  items?: {
    /** The id of a physical line of the order. */
    order_item_id: number
    /** The number of units, at most those that are not shipped yet. */
    quantity: number
  }[]
  /**
   * The id of an active location. Default: the default location if it is active, otherwise none.
   */
  location_id?: number
  /**
   * The code of the carrier. Default: the carrier of the order's shipping rate, or else `custom`.
   */
  carrier_code?: string
  /** The tracking number of the carrier; null removes it. */
  tracking_number?: string | null
  /** The URL of the tracking page; null removes it. */
  tracking_url?: string | null
  /**
   * The status that the carrier reports. If absent, the parcel counts as `shipped`; `label_printed`
   * makes it `open`.
   */
  shipment_status?:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
  /** If true, the customer gets a mail with the contents and the tracking. Default `false`. */
  notify_customer?: boolean
}

export interface FulfillmentPatch {
  /** The code of the carrier. */
  carrier_code?: string
  /** The tracking number of the carrier; null removes it. */
  tracking_number?: string | null
  /** The URL of the tracking page; null removes it. */
  tracking_url?: string | null
  /** The status that the carrier reports; null if unknown. */
  shipment_status?:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
}

export interface FulfillmentsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only fulfillments with one of these statuses. */
  status?: ('open' | 'shipped' | 'delivered' | 'cancelled' | 'failed')[]
  /** The id of the order. */
  order_id?: string
}
