import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { ReviewStats, Status } from './schema.ts'

export const AUTOMATIC_RATING = 5
export const AUTOMATIC_MESSAGE = 'The customer was satisfied and left no further comment.'

/** Only a completed order can be reviewed. */
export function checkReviewable(order: { status: string }): void {
  if (order.status === 'completed') return
  throw invalid(
    'order_id',
    `This order is ${order.status}; only a completed order can be reviewed.`,
    { status: order.status },
  )
}

/** A hidden review has been dealt with already. */
export function checkReportable(status: Status): void {
  if (status === 'published') return
  const why = status === 'reported' ? 'already' : 'and is not shown to anybody'
  throw invalidState(status, `This review is ${status} ${why}. Set its status to published first.`)
}

/** A review that the stats count. */
export const isCounted = (status: Status): boolean => status !== 'hidden'

/** By how much the number of counted reviews of each rating changes. */
export function tallyChanges(
  before: { status: Status; rating: number } | undefined,
  after: { status: Status; rating: number },
): { rating: number; by: number }[] {
  const by = new Map<number, number>()
  const add = (rating: number, change: number) => by.set(rating, (by.get(rating) ?? 0) + change)
  if (before && isCounted(before.status)) add(before.rating, -1)
  if (isCounted(after.status)) add(after.rating, 1)
  return [...by].flatMap(([rating, change]) => (change === 0 ? [] : [{ rating, by: change }]))
}

/** Total, average and counts, from the number of reviews for each rating. */
export function statsOf(rows: readonly { rating: number; reviews: number }[]): ReviewStats {
  const by_rating = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  for (const { rating, reviews } of rows) by_rating[rating as keyof typeof by_rating] = reviews
  const total = rows.reduce((sum, row) => sum + row.reviews, 0)
  const points = rows.reduce((sum, row) => sum + row.rating * row.reviews, 0)
  const average = total === 0 ? null : Math.round((points * 100) / total) / 100
  return { total, average, by_rating }
}
