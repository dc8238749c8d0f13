export { clearReturns, lockReturn } from './queries.ts'
export { getReturn } from './show-returns.ts'
