// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Reviews of products by customers, and the replies. */
export interface ReviewsApi {
  /**
   * List reviews, the newest first, with stats.
   *
   * `stats` counts the reviews of the store that are not hidden, or of the product that
   * `product_id` names. Other filters do not change it.
   *
   * Needs the permission `reviews:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: ReviewsListQuery, options?: CallOptions): List<{
    reviews: Review[]
    /** Counts and average. */
    stats: {
      /** Reviews that are not hidden. */
      total: number
      /** Their average rating with two decimals; null if there are none. */
      average: number | null
      /** The number of reviews for each rating. */
      by_rating: {
        /** Reviews with rating 1. */
        1: number
        /** Reviews with rating 2. */
        2: number
        /** Reviews with rating 3. */
        3: number
        /** Reviews with rating 4. */
        4: number
        /** Reviews with rating 5. */
        5: number
      }
    }
    pagination: Pagination
  }, Review>
  /**
   * Record the review of a customer.
   *
   * One review for each order and product, and only for completed orders. It replaces an automatic
   * review of the same product, which keeps its id.
   *
   * Needs the permission `reviews:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewReview, options?: PostOptions): Call<{ review: Review }>
  /**
   * Get a review.
   *
   * Needs the permission `reviews:read`.
   * @param id The review.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ review: Review }>
  /**
   * Hide a review, or publish it again.
   *
   * Publishing a reported review withdraws the report.
   *
   * Needs the permission `reviews:write`.
   * @param id The review.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: ReviewPatch, options?: CallOptions): Call<{ review: Review }>
  /**
   * Report a published review that breaks the rules.
   *
   * The review stays visible until it is hidden. The audit trail keeps the reason and the reporter.
   *
   * Needs the permission `reviews:write`.
   * @param id The review.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  report(id: number, body: NewReport, options?: PostOptions): Call<{ review: Review }>
  /**
   * Reply to a review, or replace the reply.
   *
   * Needs the permission `reviews:write`.
   * @param id The review.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  putReply(id: number, body: NewReply, options?: CallOptions): Call<{ review: Review }>
  /**
   * Delete the reply to a review.
   *
   * Without a reply it changes nothing.
   *
   * Needs the permission `reviews:write`.
   * @param id The review.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteReply(id: number, options?: CallOptions): Call<{
    review: Review
    /** Always true. */
    deleted: true
    /** The id of the review. */
    id: number
  }>
}

export interface NewReply {
  /** The answer of the seller. */
  reply: string
}

export interface NewReport {
  /** Why the review breaks the rules. The audit trail keeps it. */
  reason: string
}

export interface NewReview {
  /** A completed order. */
  order_id: string
  /** A product of the order, by its hash or its numeric id. */
  product_id: string
  /** 1 to 5. */
  rating: number
  /** The text of the customer. */
  message?: string | null
}

/** A review of a product that was bought. */
export interface Review {
  /** The id of the review. */
  id: number
  /** Always `review`. */
  object: 'review'
  /** The order in which the product was bought. */
  order_id: string
  /** The reviewed product. */
  product: {
    /** The product hash. */
    id: string
    /** Its current name. */
    name: string
  }
  /** The e-mail address of the order. */
  customer_email: string
  /** 1 to 5. */
  rating: number
  /** The text of the customer. */
  message: string | null
  /** True if the store created it because the customer left no review. */
  automatic: boolean
  /** A `hidden` review is not shown and not counted; a `reported` one still is. */
  status: 'published' | 'hidden' | 'reported'
  /** The answer of the seller. */
  reply: string | null
  /** The time of the reply. */
  replied_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface ReviewPatch {
  /** `hidden` takes the review out of public view and out of the stats. */
  status?: 'published' | 'hidden'
}

export interface ReviewsListQuery extends PageQuery {
  /** One or several ratings, such as `4,5`. */
  rating?: ('1' | '2' | '3' | '4' | '5')[]
  /** The product hash; the numeric id is accepted too. */
  product_id?: string
  /** The e-mail address of the customer, whole. */
  email?: string
  /** `true` or `false`. */
  has_reply?: boolean
  /** One or several statuses. */
  status?: ('published' | 'hidden' | 'reported')[]
  /** `true` or `false`. */
  automatic?: boolean
}
