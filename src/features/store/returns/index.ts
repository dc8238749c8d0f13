export { clearReturns } from './queries.ts'
