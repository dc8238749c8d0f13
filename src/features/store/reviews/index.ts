export { createAutoReviewsJob } from './create-auto-reviews.job.ts'
export { selectNextDue as selectNextAutoReview } from './queries/auto-reviews.ts'
export { clearReviews } from './queries/reviews.ts'
