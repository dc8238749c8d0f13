export { addFetches, type StringRow, selectActiveString } from './queries.ts'
export { openValue } from './write-string.ts'
