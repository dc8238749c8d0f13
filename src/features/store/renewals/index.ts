export { cancelSubscriptionsOf } from './cancel-subscriptions-of.ts'
export { renewSubscriptionsJob } from './renew-subscriptions.job.ts'
export { sendRenewalNoticesJob } from './send-notices.job.ts'
