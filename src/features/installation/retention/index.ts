export { deleteExpiredOf, retentionJobs } from './delete-expired.ts'
