import type { NewEvent } from '../../../events/ledger.ts'
import type { Review } from './schema.ts'

export const reviewCreatedEvent = (review: Review): NewEvent => ({
  type: 'review.created',
  object_id: String(review.id),
  object: {
    object: 'review',
    id: review.id,
    order_id: review.order_id,
    product: review.product,
    rating: review.rating,
    message: review.message,
    automatic: review.automatic,
    created_at: review.created_at,
  },
})
