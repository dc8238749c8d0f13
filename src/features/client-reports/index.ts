export { forgetReportsJob } from './forget-reports.job.ts'
export { insertReport } from './queries.ts'
