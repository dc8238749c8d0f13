export { renewDue, renewSubscriptionsJob } from './renew-subscriptions.job.ts'
