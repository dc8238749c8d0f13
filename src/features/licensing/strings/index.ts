export { openValue } from './change-string.ts'
export { addFetches, type StringRow, selectActiveString } from './queries.ts'
