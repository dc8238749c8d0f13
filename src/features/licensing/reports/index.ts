export { insertReport } from './queries.ts'
