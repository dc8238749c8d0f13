// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Items that customers send back. */
export interface ReturnsApi {
  /**
   * List returns, by default the newest first.
   *
   * Needs the permission `returns:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: ReturnsListQuery, options?: CallOptions): List<{ returns: Return[]; pagination: Pagination }, Return>
  /**
   * Request a return of physical items.
   *
   * The order must be paid, completed or refunded. After its completion, a return can be requested
   * for `return_window_days` of the settings (default 14). A unit can be in only one return at a
   * time.
   *
   * Needs the permission `returns:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `INVALID_STATE`
   */
  create(body: ReturnInput, options?: PostOptions): Call<{ return: Return }>
  /**
   * Get a return.
   *
   * Needs the permission `returns:read`.
   * @param id The id of the return.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ return: Return }>
  /**
   * Approve a requested return.
   *
   * Needs the permission `returns:write`.
   * @param id The id of the return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  approve(id: number, body?: ReturnApproval, options?: PostOptions): Call<{ return: Return }>
  /**
   * Reject a requested return.
   *
   * Needs the permission `returns:write`.
   * @param id The id of the return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  reject(id: number, body?: ReturnRejection, options?: PostOptions): Call<{ return: Return }>
  /**
   * Record the received units of an approved return.
   *
   * Undamaged units of variants with a tracked quantity are returned to stock, and
   * `product.restocked` is sent.
   *
   * Needs the permission `returns:write`.
   * @param id The id of the return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  receive(id: number, body?: ReturnReceipt, options?: PostOptions): Call<{ return: Return }>
  /**
   * Refund a received return.
   *
   * Refunds the order with the same rules as `POST /orders/:id/refund`, and sends `order.refunded`.
   * An amount of 0 closes the return without a refund. If a payment provider refuses the refund,
   * the return is `received` again, and the refund of the order has the reason.
   *
   * Needs the permission `returns:write`.
   * @param id The id of the return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`,
   * `REFUND_EXCEEDS_PAID`
   */
  refund(id: number, body?: ReturnRefund, options?: PostOptions): Call<{ return: Return }>
  /**
   * Cancel a return before it is received.
   *
   * Needs the permission `returns:write`.
   * @param id The id of the return.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancel(id: number, options?: PostOptions): Call<{ return: Return }>
}

/** A return of items that a customer sends back. */
export interface Return {
  /** The id of the return. */
  id: number
  /** Always `return`. */
  object: 'return'
  /** The return number for the customer, such as `RMA-000123`. It is unique in the store. */
  rma: string
  /** The id of the order. */
  order_id: string
  /** The email address of the order. */
  customer_email: string
  /** The status. A `closed` return ended without a refund. */
  status: 'requested' | 'approved' | 'rejected' | 'cancelled' | 'received' | 'refunded' | 'closed'
  /** The items that are sent back. */
  items: {
    /** The id of the order item. */
    order_item_id: number
    /** The number of units that the customer sends back. */
    quantity: number
    /** The number of units that were received. */
    received_quantity: number
    /** The number of received units that are damaged and not returned to stock. */
    damaged_quantity: number
    /** The reason of the customer. */
    reason:
      | 'damaged_or_defective'
      | 'not_as_described'
      | 'wrong_item'
      | 'changed_mind'
      | 'too_small'
      | 'too_large'
      | 'other'
    /** The note of the customer. */
    note: string | null
  }[]
  /** The refunded amount in minor units; null until the return is refunded. */
  refund_amount_cents: number | null
  /** The id of the refund; null until the return is refunded. */
  refund_id: number | null
  /** The tracking number of the parcel. */
  tracking_number: string | null
  /** The code of the carrier, such as `dhl`. */
  carrier_code: string | null
  /** The reason for a rejection. */
  rejection_note: string | null
  /** The time of the request. */
  requested_at: string
  /** The time of the approval. */
  approved_at: string | null
  /** The time at which the parcel was received. */
  received_at: string | null
  /** The time when the return was rejected, cancelled, refunded or closed. */
  closed_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

/** The tracking of the parcel. Fields that are left out keep their value. */
export interface ReturnApproval {
  /** The tracking number of the parcel. */
  tracking_number?: string | null
  /** The code of the carrier, such as `dhl`. */
  carrier_code?: string | null
}

export interface ReturnInput {
  /** The id of a paid, completed or refunded order. */
  order_id: string
  /** The items that are sent back, each item once. */
  items: {
    /** The id of a physical item of the order. */
    order_item_id: number
    /** The number of units to send back. */
    quantity: number
    /** The reason of the customer. Default `"other"`. */
    reason?:
      | 'damaged_or_defective'
      | 'not_as_described'
      | 'wrong_item'
      | 'changed_mind'
      | 'too_small'
      | 'too_large'
      | 'other'
    /** The note of the customer. */
    note?: string | null
  }[]
  /** The tracking number of the parcel. */
  tracking_number?: string | null
  /** The code of the carrier, such as `dhl`. */
  carrier_code?: string | null
}

export interface ReturnReceipt {
  /**
   * The received items, each item once. An item that is not listed was not received. Default: all
   * units were received undamaged.
   */
  items?: {
    /** The id of an order item of the return. */
    order_item_id: number
    /** The number of units that were received. */
    received_quantity: number
    /** The number of received units that are damaged and not returned to stock. Default `0`. */
    damaged_quantity?: number
  }[]
}

export interface ReturnRefund {
  /**
   * The amount to refund in minor units; 0 closes the return without a refund. Default: the price
   * paid for the received units that was not refunded before.
   */
  amount_cents?: number
}

export interface ReturnRejection {
  /** The reason for the rejection. */
  note?: string | null
}

export interface ReturnsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or several statuses. */
  status?: (
    | 'requested'
    | 'approved'
    | 'rejected'
    | 'cancelled'
    | 'received'
    | 'refunded'
    | 'closed'
  )[]
  /** The id of the order. */
  order_id?: string
  /** The full email address of the customer. */
  email?: string
  /** The return number, such as `RMA-000123` or `123`. */
  rma?: string
  /**
   * `-created_at` sorts the newest first. `waiting` sorts requested, then received, then approved
   * returns first, each the oldest first, and then all other returns, the newest first. Default
   * `"-created_at"`.
   */
  sort?: '-created_at' | 'waiting'
}
