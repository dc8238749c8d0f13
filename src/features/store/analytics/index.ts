export { foldSalesJob } from './fold-sales.job.ts'
export {
  changedOrderDeltas,
  createdOrderDeltas,
  firstOrderDeltas,
  refundDeltas,
} from './queries/deltas.ts'
