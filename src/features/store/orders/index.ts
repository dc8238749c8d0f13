export { chargeOrder, chargeOrders } from './charge-order.ts'
export { markShipped, takeWaiting } from './complete-order.ts'
export { createRenewals, type RenewedLine } from './create-renewal.ts'
export { deliverCalled, failCalled } from './deliver-called.ts'
export { cancelOrder, expireRenewal } from './expire-order.ts'
export { expireOrdersJob } from './expire-orders.job.ts'
export {
  claimCalls,
  deleteCallsOf,
  type LeasedCall,
  nextCall,
  selectNextCall,
} from './queries/dynamic-calls.ts'
export { type ItemRow, selectItems } from './queries/items.ts'
export { indexAnew, type LockedOrder, lockOrder, moveOrders } from './queries/orders.ts'
export { refundOrder } from './refund-order.ts'
export { restockLines } from './restock-lines.ts'
export { Address, NewAddress, Order, OrderPath } from './schema.ts'
export { textSealContext } from './sealed.ts'
export { readOrder, readOrdersOf } from './show-order.ts'
