import { z } from 'zod'
import {
  DateTime,
  Email,
  ListQuery,
  OneOrMoreOf,
  PathId,
  ProductRef,
  QueryBoolean,
  Text,
  unlessMissing,
  VisibleText,
} from '../../../kernel/shapes.ts'
import { OrderPath } from '../orders/index.ts'

const STATUSES = ['published', 'hidden', 'reported'] as const
export type ReviewStatus = (typeof STATUSES)[number]

const MESSAGE_MAX = 2_000
const REPLY_MAX = 2_000
const REASON_MAX = 500
const RATINGS = ['1', '2', '3', '4', '5'] as const

const Rating = z
  .int({ error: unlessMissing('Use 1 to 5.') })
  .min(1, 'Use 1 to 5.')
  .max(5, 'Use 1 to 5.')

export const Review = z
  .object({
    id: z.int().describe('The id of the review.'),
    object: z.literal('review').describe('Always `review`.'),
    order_id: z.string().describe('The id of the order in which the product was bought.'),
    product: z
      .object({
        id: z.string().describe('The product hash.'),
        name: z.string().describe('The current name of the product.'),
      })
      .describe('The reviewed product.'),
    customer_email: z.string().describe('The email address of the order.'),
    rating: z.int().describe('The rating, 1 to 5.'),
    message: z.string().nullable().describe('The text of the customer.'),
    automatic: z
      .boolean()
      .describe('True if the review was created automatically because the customer wrote none.'),
    status: z
      .enum(STATUSES)
      .describe(
        'The status. A `hidden` review is not shown or counted. A `reported` review is shown and counted.',
      ),
    reply: z.string().nullable().describe('The reply of the seller.'),
    replied_at: DateTime.nullable().describe('The time of the reply.'),
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Review', description: 'A review of a product that was bought.' })
export type Review = z.output<typeof Review>

export const ReviewStats = z.object({
  total: z.int().describe('The number of reviews that are not hidden.'),
  average: z
    .number()
    .nullable()
    .describe('The average rating of these reviews with two decimals; null if there are none.'),
  by_rating: z
    .object({
      1: z.int().describe('The number of reviews with rating 1.'),
      2: z.int().describe('The number of reviews with rating 2.'),
      3: z.int().describe('The number of reviews with rating 3.'),
      4: z.int().describe('The number of reviews with rating 4.'),
      5: z.int().describe('The number of reviews with rating 5.'),
    })
    .describe('The number of reviews for each rating.'),
})
export type ReviewStats = z.output<typeof ReviewStats>

export const ReviewQuery = z.object({
  ...ListQuery,
  rating: OneOrMoreOf(RATINGS).describe('One or several ratings, such as `4,5`.'),
  product_id: ProductRef.optional(),
  email: Email.optional().describe('The full email address of the customer.'),
  has_reply: QueryBoolean.optional().describe(
    '`true` returns only reviews with a reply, `false` only reviews without one.',
  ),
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  automatic: QueryBoolean.optional().describe(
    '`true` returns only automatic reviews, `false` only reviews of customers.',
  ),
})
export type ReviewQuery = z.output<typeof ReviewQuery>

export const NewReview = z
  .strictObject({
    order_id: OrderPath.shape.id.describe('The id of a completed order.'),
    product_id: ProductRef.describe('A product of the order, by its hash or its numeric id.'),
    rating: Rating.describe('The rating, 1 to 5.'),
    message: Text(MESSAGE_MAX).nullable().default(null).describe('The text of the customer.'),
  })
  .meta({ id: 'ReviewInput' })
export type NewReview = z.output<typeof NewReview>

export const ReviewPatch = z
  .strictObject({
    status: z
      .enum(['published', 'hidden'], 'Use published or hidden; report a review with /report.')
      .describe('The new status. `hidden` removes the review from public view and from the stats.'),
  })
  .partial()
  .meta({ id: 'ReviewPatch' })
export type ReviewPatch = z.output<typeof ReviewPatch>

export const NewReply = z
  .strictObject({ reply: VisibleText(REPLY_MAX).describe('The reply of the seller.') })
  .meta({ id: 'ReplyInput' })

export const NewReport = z
  .strictObject({
    reason: VisibleText(REASON_MAX).describe(
      'The reason for the report, which is recorded in the audit trail.',
    ),
  })
  .meta({ id: 'ReportInput' })

export const ReviewPath = z.object({ id: PathId.describe('The id of the review.') })
