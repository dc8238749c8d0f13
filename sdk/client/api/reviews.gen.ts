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
   * `stats` counts all reviews of the store, or of the product `product_id`, that are not hidden.
   * Other filters do not change `stats`.
   *
   * Needs the permission `reviews:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: ReviewsListQuery, options?: CallOptions): List<{
    reviews: Review[]
    /** The number of reviews and their average rating. */
    stats: {
      /** The number of reviews that are not hidden. */
      total: number
      /** The average rating of these reviews with two decimals; null if there are none. */
      average: number | null
      /** The number of reviews for each rating. */
      by_rating: {
        /** The number of reviews with rating 1. */
        1: number
        /** The number of reviews with rating 2. */
        2: number
        /** The number of reviews with rating 3. */
        3: number
        /** The number of reviews with rating 4. */
        4: number
        /** The number of reviews with rating 5. */
        5: number
      }
    }
    pagination: Pagination
  }, Review>
  /**
   * Record the review of a customer.
   *
   * The order must be completed. Each order and product can have one review. An automatic review of
   * the product is overwritten and keeps its id.
   *
   * Needs the permission `reviews:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: ReviewInput, options?: PostOptions): Call<{ review: Review }>
  /**
   * Get a review.
   *
   * Needs the permission `reviews:read`.
   * @param id The id of the review.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ review: Review }>
  /**
   * Hide a review, or publish it again.
   *
   * Publishing a reported review withdraws the report.
   *
   * Needs the permission `reviews:write`.
   * @param id The id of the review.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: ReviewPatch, options?: CallOptions): Call<{ review: Review }>
  /**
   * Report a published review that breaks the rules.
   *
   * The review remains visible until it is hidden. The reason and the reporter are recorded in the
   * audit trail.
   *
   * Needs the permission `reviews:write`.
   * @param id The id of the review.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  report(id: number, body: ReportInput, options?: PostOptions): Call<{ review: Review }>
  /**
   * Reply to a review, or replace the reply.
   *
   * Needs the permission `reviews:write`.
   * @param id The id of the review.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  putReply(id: number, body: ReplyInput, options?: CallOptions): Call<{ review: Review }>
  /**
   * Delete the reply to a review.
   *
   * If the review has no reply, nothing changes.
   *
   * Needs the permission `reviews:write`.
   * @param id The id of the review.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteReply(id: number, options?: CallOptions): Call<{
    review: Review
    /** Always true. */
    deleted: boolean
    /** The id of the review. */
    id: number
  }>
}

export interface ReplyInput {
  /** The reply of the seller. */
  reply: string
}

export interface ReportInput {
  /** The reason for the report, which is recorded in the audit trail. */
  reason: string
}

/** A review of a product that was bought. */
export interface Review {
  /** The id of the review. */
  id: number
  /** Always `review`. */
  object: 'review'
  /** The id of the order in which the product was bought. */
  order_id: string
  /** The reviewed product. */
  product: {
    /** The product hash. */
    id: string
    /** The current name of the product. */
    name: string
  }
  /** The email address of the order. */
  customer_email: string
  /** The rating, 1 to 5. */
  rating: number
  /** The text of the customer. */
  message: string | null
  /** True if the review was created automatically because the customer wrote none. */
  automatic: boolean
  /**
   * The status. A `hidden` review is not shown or counted. A `reported` review is shown and
   * counted.
   */
  status: 'published' | 'hidden' | 'reported'
  /** The reply of the seller. */
  reply: string | null
  /** The time of the reply. */
  replied_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface ReviewInput {
  /** The id of a completed order. */
  order_id: string
  /** A product of the order, by its hash or its numeric id. */
  product_id: string
  /** The rating, 1 to 5. */
  rating: number
  /** The text of the customer. */
  message?: string | null
}

export interface ReviewPatch {
  /** The new status. `hidden` removes the review from public view and from the stats. */
  status?: 'published' | 'hidden'
}

export interface ReviewsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or several ratings, such as `4,5`. */
  rating?: ('1' | '2' | '3' | '4' | '5')[]
  /** The hash of the product. Its numeric id is also accepted. */
  product_id?: string
  /** The full email address of the customer. */
  email?: string
  /** `true` returns only reviews with a reply, `false` only reviews without one. */
  has_reply?: boolean
  /** One or several statuses. */
  status?: ('published' | 'hidden' | 'reported')[]
  /** `true` returns only automatic reviews, `false` only reviews of customers. */
  automatic?: boolean
}
