export { clearReturns, lockReturn, takeRefundAway } from './queries.ts'
export { getReturn } from './show-returns.ts'
