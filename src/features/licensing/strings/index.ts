export { addFetches, STRINGS } from './queries.ts'
export { openValue } from './string-records.ts'
