// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Items that customers send back. */
export interface ReturnsApi {
  /**
   * List returns, the newest first.
   *
   * Needs the permission `returns:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: ReturnsListQuery, options?: CallOptions): List<{ returns: Return[]; pagination: Pagination }, Return>
  /**
   * Request a return of physical items.
   *
   * For paid and completed orders, until `return_window_days` of the settings (default 14) after
   * the completion. A unit can be in one return at a time.
   *
   * Needs the permission `returns:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `INVALID_STATE`
   */
  create(body: NewReturn, options?: PostOptions): Call<{ return: Return }>
  /**
   * Get a return.
   *
   * Needs the permission `returns:read`.
   * @param id The return.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ return: Return }>
  /**
   * Approve a requested return.
   *
   * Needs the permission `returns:write`.
   * @param id The return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  approve(id: number, body?: ReturnApproval, options?: PostOptions): Call<{ return: Return }>
  /**
   * Reject a requested return.
   *
   * Needs the permission `returns:write`.
   * @param id The return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  reject(id: number, body?: ReturnRejection, options?: PostOptions): Call<{ return: Return }>
  /**
   * Record what arrived of an approved return.
   *
   * Undamaged units of variants whose quantity is tracked go back into stock, and
   * `product.restocked` is sent.
   *
   * Needs the permission `returns:write`.
   * @param id The return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  receive(id: number, body?: ReturnReceipt, options?: PostOptions): Call<{ return: Return }>
  /**
   * Refund a received return.
   *
   * Records a refund of the order by its rules, and sends `order.refunded`. An amount of 0 closes
   * the return without a refund.
   *
   * Needs the permission `returns:write`.
   * @param id The return.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`,
   * `REFUND_EXCEEDS_PAID`
   */
  refund(id: number, body?: ReturnRefund, options?: PostOptions): Call<{ return: Return }>
  /**
   * Cancel a return before it is received.
   *
   * Needs the permission `returns:write`.
   * @param id The return.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancel(id: number, options?: PostOptions): Call<{ return: Return }>
}

export interface NewReturn {
  /** A paid or completed order. */
  order_id: string
  /** The items that are sent back, each line once. */
  items: {
    /** A physical line of the order. */
    order_item_id: number
    /** Units to send back. */
    quantity: number
    /** Why they are sent back. Default `"other"`. */
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
  /** The carrier's number of the parcel. */
  tracking_number?: string | null
  /** The carrier. */
  carrier_code?: string | null
}

/** Goods that a customer sends back. */
export interface Return {
  /** The id of the return. */
  id: number
  /** Always `return`. */
  object: 'return'
  /** The number for the customer, such as `RMA-000123`; unique in the store. */
  rma: string
  /** The order. */
  order_id: string
  /** The e-mail address of the order. */
  customer_email: string
  /** `closed` ends a return without a refund. */
  status: 'requested' | 'approved' | 'rejected' | 'cancelled' | 'received' | 'refunded' | 'closed'
  /** The items that are sent back. */
  items: {
    /** The line of the order. */
    order_item_id: number
    /** Units that the customer sends back. */
    quantity: number
    /** Units that arrived. */
    received_quantity: number
    /** Units of these that do not go back into stock. */
    damaged_quantity: number
    /** Why they are sent back. */
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
  /** Minor units; null until it is refunded. */
  refund_amount_cents: number | null
  /** The refund of the order; null until it is refunded. */
  refund_id: number | null
  /** The carrier's number of the parcel. */
  tracking_number: string | null
  /** The carrier. */
  carrier_code: string | null
  /** Why it was rejected. */
  rejection_note: string | null
  /** The time of the request. */
  requested_at: string
  /** The time of the approval. */
  approved_at: string | null
  /** The time at which it was received. */
  received_at: string | null
  /** When it was rejected, cancelled, refunded or closed. */
  closed_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface ReturnApproval {
  /** The carrier's number of the parcel. */
  tracking_number?: string | null
  /** The carrier. */
  carrier_code?: string | null
}

export interface ReturnReceipt {
  /**
   * The items that arrived, each line once. A line that is left out did not arrive. If omitted,
   * everything arrived undamaged.
   */
  items?: {
    /** A line of the return. */
    order_item_id: number
    /** Units that arrived. */
    received_quantity: number
    /** Units of these that do not go back into stock. Default `0`. */
    damaged_quantity?: number
  }[]
}

export interface ReturnRefund {
  /**
   * Minor units; if absent, the price paid for the units that arrived. 0 closes the return without
   * a refund.
   */
  amount_cents?: number
}

export interface ReturnRejection {
  /** Why it is rejected. */
  note?: string | null
}

export interface ReturnsListQuery extends PageQuery {
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
  /** The order. */
  order_id?: string
  /** The e-mail address of the customer, whole. */
  email?: string
}
