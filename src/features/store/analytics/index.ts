export { foldSalesJob } from './fold-sales.job.ts'
export { customersCounted, ordersChanged, ordersCreated, refunded } from './queries/deltas.ts'
