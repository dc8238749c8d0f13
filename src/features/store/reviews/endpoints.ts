import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination } from '../../../kernel/shapes.ts'
import { createReview } from './create-review.ts'
import {
  NewReply,
  NewReport,
  NewReview,
  Review,
  ReviewPatch,
  ReviewPath,
  ReviewQuery,
  ReviewStats,
} from './schema.ts'
import { getReview, listReviews } from './show-reviews.ts'
import { deleteReply, replyToReview, reportReview, updateReview } from './update-review.ts'

const OneReview = z.object({ review: Review })

export const reviewEndpoints = [
  endpoint({
    id: 'reviews.list',
    method: 'GET',
    path: '/reviews',
    permission: 'reviews:read',
    summary: 'List reviews, the newest first, with stats.',
    description:
      '`stats` counts all reviews of the store, or of the product `product_id`, that are not hidden. Other filters do not change `stats`.',
    query: ReviewQuery,
    response: z.object({
      reviews: z.array(Review).describe('A page of reviews.'),
      stats: ReviewStats.describe('The number of reviews and their average rating.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listReviews(context, query),
  }),
  endpoint({
    id: 'reviews.create',
    method: 'POST',
    path: '/reviews',
    permission: 'reviews:write',
    summary: 'Record the review of a customer.',
    description:
      'The order must be completed. Each order and product can have one review. An automatic review of the product is overwritten and keeps its id.',
    body: NewReview,
    example: {
      order_id: 'ord_0350000000000000000000',
      product_id: 'a1B2c3D4e5F6',
      rating: 5,
      message: 'Does what it says.',
    },
    status: 201,
    response: OneReview,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'review.create', object: 'review' },
    handle: async ({ context, body }) => ({ review: await createReview(context, body) }),
  }),
  endpoint({
    id: 'reviews.get',
    method: 'GET',
    path: '/reviews/:id',
    permission: 'reviews:read',
    summary: 'Get a review.',
    params: ReviewPath,
    response: OneReview,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ review: await getReview(context, params.id) }),
  }),
  endpoint({
    id: 'reviews.update',
    method: 'PATCH',
    path: '/reviews/:id',
    permission: 'reviews:write',
    summary: 'Hide a review, or publish it again.',
    description: 'Publishing a reported review withdraws the report.',
    params: ReviewPath,
    body: ReviewPatch,
    example: { status: 'hidden' },
    response: OneReview,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'review.update', object: 'review' },
    handle: async ({ context, params, body }) => ({
      review: await updateReview(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'reviews.report',
    method: 'POST',
    path: '/reviews/:id/report',
    permission: 'reviews:write',
    summary: 'Report a published review that breaks the rules.',
    description:
      'The review remains visible until it is hidden. The reason and the reporter are recorded in the audit trail.',
    params: ReviewPath,
    body: NewReport,
    example: { reason: 'It insults our staff.' },
    response: OneReview,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'review.report', object: 'review' },
    handle: async ({ context, params }) => ({ review: await reportReview(context, params.id) }),
  }),
  endpoint({
    id: 'reviews.put_reply',
    method: 'PUT',
    path: '/reviews/:id/reply',
    permission: 'reviews:write',
    summary: 'Reply to a review, or replace the reply.',
    params: ReviewPath,
    body: NewReply,
    example: { reply: 'Thank you!' },
    response: OneReview,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'review.put_reply', object: 'review' },
    handle: async ({ context, params, body }) => ({
      review: await replyToReview(context, params.id, body.reply),
    }),
  }),
  endpoint({
    id: 'reviews.delete_reply',
    method: 'DELETE',
    path: '/reviews/:id/reply',
    permission: 'reviews:write',
    summary: 'Delete the reply to a review.',
    description: 'If the review has no reply, nothing changes.',
    params: ReviewPath,
    response: OneReview.extend({
      ...Deleted,
      id: z.int().describe('The id of the review.'),
    }),
    errors: ['NOT_FOUND'],
    audit: { action: 'review.delete_reply', object: 'review' },
    handle: async ({ context, params: { id } }) => {
      const review = await deleteReply(context, id)
      return { deleted: true as const, id, review }
    },
  }),
]
