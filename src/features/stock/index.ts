export { addKeys } from './add-keys.ts'
export { keyPlace } from './key-place.ts'
export { release, reserve } from './reserve.ts'
export { takeStock } from './take-stock.ts'
