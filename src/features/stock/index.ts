export { release, reserve } from './reserve.ts'
export { takeStock } from './take-stock.ts'
