import { invalid, invalidState } from '../../../kernel/errors.ts'
import { stateText } from '../../../kernel/state-text.ts'
import type { ReviewStats, ReviewStatus } from './schema.ts'

export const AUTOMATIC_RATING = 5
export const AUTOMATIC_MESSAGE = 'The customer was satisfied and left no further comment.'

/** Throws VALIDATION_FAILED unless the order is completed. */
export function checkReviewable(order: { status: string }): void {
  if (order.status === 'completed') return
  throw invalid(
    'order_id',
    `This order ${stateText(order.status)}. Only a completed order can be reviewed.`,
    { status: order.status },
  )
}

/** The fields of an order line that decide which products its buyer can review. */
interface ReviewedLine {
  product_id: number
  product_hash: string
  bundle_product_id: number | null
  bundle_hash: string | null
}

/** Returns the products of a line that its buyer can review: its own, and its bundle (decision 179). */
export function productsOf(line: ReviewedLine): { id: number; hash: string }[] {
  const { product_id: id, product_hash: hash, bundle_product_id, bundle_hash } = line
  if (bundle_product_id === null || bundle_hash === null) return [{ id, hash }]
  return [
    { id, hash },
    { id: bundle_product_id, hash: bundle_hash },
  ]
}

/** Throws INVALID_STATE unless the review is published. */
export function checkReportable(status: ReviewStatus): void {
  if (status === 'published') return
  throw invalidState(
    status,
    `This review is ${status}, and only a published review can be reported. Set its status to published first.`,
  )
}

/** Returns true if the stats count a review with this status. */
const isCounted = (status: ReviewStatus): boolean => status !== 'hidden'

/** Returns the changes of the counts by rating when a review is created or changed. */
export function tallyChanges(
  before: { status: ReviewStatus; rating: number } | undefined,
  after: { status: ReviewStatus; rating: number },
): { rating: number; delta: number }[] {
  const changes = new Map<number, number>()
  const add = (rating: number, delta: number) =>
    changes.set(rating, (changes.get(rating) ?? 0) + delta)
  if (before && isCounted(before.status)) add(before.rating, -1)
  if (isCounted(after.status)) add(after.rating, 1)
  return [...changes].flatMap(([rating, delta]) => (delta === 0 ? [] : [{ rating, delta }]))
}

/** Returns the stats from the number of reviews with each rating. */
export function statsOf(rows: readonly { rating: number; reviews: number }[]): ReviewStats {
  const by_rating = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  for (const { rating, reviews } of rows) by_rating[rating as keyof typeof by_rating] = reviews
  const total = rows.reduce((sum, row) => sum + row.reviews, 0)
  const points = rows.reduce((sum, row) => sum + row.rating * row.reviews, 0)
  const average = total === 0 ? null : Math.round((points * 100) / total) / 100
  return { total, average, by_rating }
}
