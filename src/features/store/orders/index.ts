export { chargeOrder, chargeOrders } from './charge-order.ts'
export { setFulfillmentStatus, takeStockForWaitingLines } from './complete-order.ts'
export { BLOCKED_REASON, createRenewals } from './create-renewal.ts'
export { deliverAnswer, recordFailedCall } from './deliver-answer.ts'
export { cancelOrder, expireRenewal } from './expire-order.ts'
export { expireOrdersJob } from './expire-orders.job.ts'
export { checkMethod, totalsOf } from './lines.rules.ts'
export { priceContents } from './price-contents.ts'
export { orderExists } from './queries/delivery-keys.ts'
export {
  claimCalls,
  deleteCallsOf,
  type LeasedCall,
  nextCall,
  selectNextCall,
} from './queries/dynamic-calls.ts'
export { type ItemRow, selectItems } from './queries/items.ts'
export { type LockedOrder, lockOrder, moveOrders, reindexOrders } from './queries/orders.ts'
export { refundOrder } from './refund-order.ts'
export { restockLines } from './restock-lines.ts'
export { Address, NewAddress, Order, OrderPath } from './schema.ts'
export { textSealContext } from './sealed.ts'
export { readOrder, readOrdersOf } from './show-order.ts'
