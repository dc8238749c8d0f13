export * from './auto-reviews.ts'
export * from './reviews.ts'
