// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { AffiliateConversion, BlocklistEntry, CouponAmount, FoundStockKey, ImportedKeys, Pagination, ProductPace, RefundsReport, ReturnPhoto, SalesHours, SalesParts, SavedReply, StockRunway, Ticket } from './records.gen.ts'

/** Endpoints of a store for its sales, customers and catalogue. */
export interface SellOperations {
  /** Find a stock key in all variants by its complete text. */
  'stock.find_keys': {
    method: 'GET'
    path: '/stores/{store_hash}/stock-keys'
    params?: undefined
    query?: {
      /** The complete text of the key. */
      value: string
    }
    body?: undefined
    answer: {
      /** The key in each variant that has it, the newest first. */
      keys: FoundStockKey[]
    }
  }
  /** List the newest batches of stock keys that were added to a variant. */
  'stock.list_imports': {
    method: 'GET'
    path: '/stores/{store_hash}/stock-imports'
    params?: undefined
    query?: {
      /** The hash of the product. Its numeric id is also accepted. */
      product_id: string
      /** The id of the variant. */
      variant_id: number
    }
    body?: undefined
    answer: {
      /** The newest 25 batches. Keys that were added without an import are one batch. */
      imports: ImportedKeys[]
    }
  }
  /** List the entries that would refuse an order of this buyer. No hit is counted. */
  'blocklist.match': {
    method: 'GET'
    path: '/stores/{store_hash}/blocklist-matches'
    params?: undefined
    query?: {
      /** The buyer's email address. */
      email?: string
      /** The buyer's IP address. */
      ip?: string
    }
    body?: undefined
    answer: {
      /** The entries that match, the oldest first, at most 100. */
      blocklist_entries: BlocklistEntry[]
    }
  }
  /** Get the conversion of an order, with its commission and flags. */
  'affiliates.get_conversion': {
    method: 'GET'
    path: '/stores/{store_hash}/order-conversions/{invoice_id}'
    params: {
      /** The id of the order. */
      invoice_id: string
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Null if the order has no conversion. */
      conversion: AffiliateConversion | null
    }
  }
  /** Get the totals of all approved partners. */
  'affiliates.get_totals': {
    method: 'GET'
    path: '/stores/{store_hash}/partner-totals'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The totals of all approved partners. */
      totals: {
        /** The number of approved partners. */
        partners: number
        /** The number of their links. */
        links: number
        /**
         * The sum of their commissions in their hold period or waiting for a review, in minor
         * units.
         */
        pending_cents: number
        /** The sum of the amounts that they can request now, in minor units. */
        available_cents: number
      }
    }
  }
  /** Get the sums of the discounts that coupons gave on orders. */
  'coupons.amounts': {
    method: 'GET'
    path: '/stores/{store_hash}/coupon-amounts'
    params?: undefined
    query?: {
      /** The ids of coupons, separated by commas. */
      coupon_ids: number[]
    }
    body?: undefined
    answer: {
      /** The amounts, by coupon id. Unknown coupons are left out. */
      amounts: CouponAmount[]
    }
  }
  /** Get the sales pace of products and the time when their stock runs out. */
  'analytics.product_paces': {
    method: 'GET'
    path: '/stores/{store_hash}/product-paces'
    params?: undefined
    query?: {
      /** Product hashes, joined by commas. */
      product_ids: string[]
    }
    body?: undefined
    answer: {
      /** The paces in the sequence of `product_ids`. Unknown products are omitted. */
      paces: ProductPace[]
    }
  }
  /** List active products by the time when their stock runs out, the earliest first. */
  'analytics.stock_runways': {
    method: 'GET'
    path: '/stores/{store_hash}/stock-runways'
    params?: undefined
    query?: {
      /** The number of records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** The number of records to skip. Default `0`. */
      offset?: number
    }
    body?: undefined
    answer: {
      /** A page of products. Products without stock are first. */
      runways: StockRunway[]
      pagination: Pagination
    }
  }
  /** Get the sales of a period by source and by coupon. */
  'analytics.sales_parts': {
    method: 'GET'
    path: '/stores/{store_hash}/sales-parts'
    params?: undefined
    query?: {
      /**
       * The first day, in the time zone of the store. A date with a time selects the day that
       * contains it. Default: 29 days before `to`.
       */
      from?: string
      /**
       * The last day. A date with a time is exclusive. Default: today. A period has at most 366
       * days.
       */
      to?: string
    }
    body?: undefined
    answer: { parts: SalesParts }
  }
  /** Get the refunds of a period over time, by reason, payment method and product. */
  'analytics.refunds': {
    method: 'GET'
    path: '/stores/{store_hash}/refunds-report'
    params?: undefined
    query?: {
      /**
       * The first day, in the time zone of the store. A date with a time selects the day that
       * contains it. Default: 29 days before `to`.
       */
      from?: string
      /**
       * The last day. A date with a time is exclusive. Default: today. A period has at most 366
       * days.
       */
      to?: string
      /** The length of each row of `series`. Weeks begin on Monday. Default `"day"`. */
      interval?: 'day' | 'week' | 'month'
    }
    body?: undefined
    answer: { refunds: RefundsReport }
  }
  /** Get the sales of the current day by hour, next to the same weekday of the week before. */
  'analytics.sales_hours': {
    method: 'GET'
    path: '/stores/{store_hash}/sales-hours'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: { sales: SalesHours }
  }
  /** List the photos of a return. */
  'return_photos.list': {
    method: 'GET'
    path: '/stores/{store_hash}/returns/{id}/photos'
    params: {
      /** The id of the return. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The photos of the return, the oldest first. */
      photos: ReturnPhoto[]
    }
  }
  /** Add a photo to a return, as a multipart upload. */
  'return_photos.create': {
    method: 'POST'
    path: '/stores/{store_hash}/returns/{id}/photos'
    params: {
      /** The id of the return. */
      id: number
    }
    query?: undefined
    body?: Record<string, never>
    answer: { photo: ReturnPhoto }
  }
  /** Delete a photo of a return. */
  'return_photos.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/returns/{id}/photos/{photo_id}'
    params: {
      /** The id of the return. */
      id: number
      /** The id of the photo. */
      photo_id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the photo. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /** List the saved replies of the store by name. */
  'saved_replies.list': {
    method: 'GET'
    path: '/stores/{store_hash}/saved-replies'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** All saved replies, at most 200. */
      saved_replies: SavedReply[]
    }
  }
  /** Save a reply to tickets under a name. */
  'saved_replies.create': {
    method: 'POST'
    path: '/stores/{store_hash}/saved-replies'
    params?: undefined
    query?: undefined
    body: {
      /** The name by which the team finds the reply. */
      name: string
      /** The text of the reply. */
      body: string
    }
    answer: { saved_reply: SavedReply }
  }
  /** Change the name or the text of a saved reply. */
  'saved_replies.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/saved-replies/{id}'
    params: {
      /** The id of the saved reply. */
      id: number
    }
    query?: undefined
    body: {
      /** The name by which the team finds the reply. */
      name?: string
      /** The text of the reply. */
      body?: string
    }
    answer: { saved_reply: SavedReply }
  }
  /** Delete a saved reply. */
  'saved_replies.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/saved-replies/{id}'
    params: {
      /** The id of the saved reply. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the saved reply. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /** Set the order that a ticket is about. */
  'tickets.link_order': {
    method: 'PUT'
    path: '/stores/{store_hash}/ticket-orders/{id}'
    params: {
      /** The id of the ticket. */
      id: number
    }
    query?: undefined
    body: {
      /** The id of the order that the ticket is about; null removes it. */
      order_id: string | null
    }
    answer: { ticket: Ticket }
  }
}
