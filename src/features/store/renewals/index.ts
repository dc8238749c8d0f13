export { renewSubscriptionsJob } from './renew-subscriptions.job.ts'
