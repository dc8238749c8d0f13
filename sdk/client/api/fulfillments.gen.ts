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
   * @param id The fulfillment.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ fulfillment: Fulfillment }>
  /**
   * Ship physical lines of a paid order, a part or all that is left.
   *
   * The parcel counts as `shipped` unless its label was only printed. When every physical unit is
   * shipped, and nothing else is waited for, the order is completed.
   *
   * Needs the permission `fulfillment:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  create(id: string, body?: NewFulfillment, options?: PostOptions): Call<{ fulfillment: Fulfillment }>
  /**
   * Change the tracking or the status of a fulfillment.
   *
   * `shipment_status` moves `status`: a printed label leaves it `open`, then it is `shipped`,
   * `delivered` or `failed`.
   *
   * Needs the permission `fulfillment:write`.
   * @param id The fulfillment.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: FulfillmentPatch, options?: CallOptions): Call<{ fulfillment: Fulfillment }>
  /**
   * Cancel a fulfillment; its units can be shipped again.
   *
   * Needs the permission `fulfillment:write`.
   * @param id The fulfillment.
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
  /** The order. */
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
  /** The carrier's number of it. */
  tracking_number: string | null
  /** The tracking page of the carrier. */
  tracking_url: string | null
  /** The items of the parcel. */
  items: {
    /** The line of the order. */
    order_item_id: number
    /** Units of it. */
    quantity: number
  }[]
  /** When it left. */
  shipped_at: string | null
  /** When it arrived. */
  delivered_at: string | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface FulfillmentPatch {
  /** The code of the carrier. */
  carrier_code?: string
  /** The carrier's number of it; null clears. */
  tracking_number?: string | null
  /** The tracking page of the carrier; null clears it. */
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
  /** One or several statuses. */
  status?: ('open' | 'shipped' | 'delivered' | 'cancelled' | 'failed')[]
  /** The order. */
  order_id?: string
}

export interface NewFulfillment {
  /** The items of the parcel. If absent: all that is not shipped yet. */
  items?: {
    /** A physical line of the order. */
    order_item_id: number
    /** Units of it that are left. */
    quantity: number
  }[]
  /** An active one; absent: the default location, if it is active. */
  location_id?: number
  /** If absent, the carrier of the rate of the order, else `custom`. */
  carrier_code?: string
  /** The carrier's number of it; null clears. */
  tracking_number?: string | null
  /** The tracking page of the carrier; null clears it. */
  tracking_url?: string | null
  /** Absent: it has left. `label_printed` makes it `open`. */
  shipment_status?:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
  /** Mails the contents and the tracking to the customer. Default `false`. */
  notify_customer?: boolean
}
