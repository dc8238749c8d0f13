export { selectNewestBackup } from './queries.ts'
