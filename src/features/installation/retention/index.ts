export { retentionJobs } from './delete-expired.ts'
