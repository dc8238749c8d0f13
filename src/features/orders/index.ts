export { expireDueOrders, expireOrdersJob } from './expire-orders.job.ts'
export { selectNextExpiry } from './queries/orders.ts'
