import {
  banForHold,
  createKeysForOrder,
  keepBans,
  suspendForOrder,
  unbanAfterHold,
} from '../licensing/index.ts'
import { captureConversion, recordCommission, reverseCommission } from './affiliates/index.ts'
import { changedOrderDeltas, createdOrderDeltas, refundDeltas } from './analytics/index.ts'
import { admitCustomer } from './blocklist/index.ts'
import {
  moveCouponUse,
  recordCouponUse,
  releaseCouponUse,
  restoreCouponUse,
} from './coupons/index.ts'
import {
  addOrdersToTotals,
  addToTotalSpent,
  creditBalance,
  debitBalance,
  debitBalances,
  lockCustomer,
  returnBalance,
} from './customers/index.ts'
import {
  release,
  replaceKeys,
  reserve,
  restock,
  returnStock,
  returnUnits,
  serveManually,
  takeForNewOrder,
  takeKeys,
  takeLines,
  takeStock,
} from './stock/index.ts'
// Not their index: it has the renewals too, which are orders themselves.
import {
  advanceSubscriptions,
  cancelRefundedSubscriptions,
  createSubscriptions,
  endSubscriptions,
  extendLicenses,
  holdSubscriptions,
  lockSubscriptionsOfOrders,
  releaseSubscriptions,
} from './subscriptions/order-effects.ts'
import { orderWalletDeltas, paidOrderWalletDeltas } from './wallet/index.ts'

/**
 * All that follows an order in other areas. A row is a moment in the life of an order, and a column is the area that
 * changes its records then. The columns stand in the sequence in which records are locked (decision 400). An entry is a
 * function, or returns a part of the SQL that changes the order.
 *
 * The use cases of `orders/` change records of other areas only through this table: a test compares the tables that are
 * written at each moment with its row. Mail and events are no entries, because each use case says its own.
 */
export const ORDER_LIFE = {
  /** A use case has locked the order, to change it. */
  locked: {
    subscriptions: { lock: lockSubscriptionsOfOrders },
  },
  /** The order is inserted, and waits for its payment. */
  created: {
    subscriptions: { create: createSubscriptions },
    customers: { admit: admitCustomer },
    stock: { reserve },
    coupons: { use: recordCouponUse },
    analytics: { deltas: createdOrderDeltas },
  },
  /**
   * The order is inserted with its payment: it is free, is paid from the balance, or was paid elsewhere. The rows `paid`
   * and `completed` follow, but for what stands here.
   */
  createdPaid: {
    customers: { addSales: addOrdersToTotals, debit: debitBalance },
    stock: { take: takeForNewOrder },
    analytics: { deltas: changedOrderDeltas },
    wallet: { deltas: paidOrderWalletDeltas },
  },
  /** The unpaid order gets another customer. */
  moved: {
    customers: { admit: admitCustomer },
    coupons: { moveUse: moveCouponUse },
  },
  /** Money arrives, from the balance of the customer or from elsewhere, before or after the order is paid in full. */
  moneyAdded: {
    customers: {
      lock: lockCustomer,
      debit: debitBalance,
      debitAll: debitBalances,
      addSpent: addToTotalSpent,
    },
    wallet: { deltas: orderWalletDeltas },
  },
  /** The order is paid in full. */
  paid: {
    subscriptions: { advance: advanceSubscriptions },
    customers: { addSales: addOrdersToTotals },
    stock: { take: takeStock },
    coupons: { restoreUse: restoreCouponUse },
    licensing: { createKeys: createKeysForOrder },
    affiliates: { convert: captureConversion },
    analytics: { deltas: changedOrderDeltas },
  },
  /** A line is delivered after the payment, or its keys are replaced. */
  delivered: {
    stock: { takeLines, takeKeys, serve: serveManually, replaceKeys },
    licensing: { createKeys: createKeysForOrder },
  },
  /** All lines are delivered and shipped. */
  completed: {
    affiliates: { addCommission: recordCommission },
    analytics: { deltas: changedOrderDeltas },
  },
  /** A dispute was opened, or the seller stops the order. */
  held: {
    subscriptions: { hold: holdSubscriptions },
    licensing: { ban: banForHold },
  },
  /** The seller releases the order, or wins the dispute. Lines that were paid meanwhile are delivered as in `paid`. */
  released: {
    subscriptions: { release: releaseSubscriptions, extendLicenses },
    licensing: { unban: unbanAfterHold },
  },
  /** Money goes back: a part of it, or all. */
  moneyReturned: {
    customers: { addSpent: addToTotalSpent, credit: creditBalance },
    affiliates: { reverse: reverseCommission },
    analytics: { deltas: refundDeltas },
    wallet: { deltas: orderWalletDeltas },
  },
  /** Units of the order come back to stock. */
  restocked: {
    stock: { add: restock },
  },
  /** Units are refunded before they are delivered, so they are not delivered any more. */
  unitsCancelled: {
    stock: { return: returnUnits },
  },
  /** All that was paid has gone back, so the deliveries are revoked. */
  refunded: {
    subscriptions: { cancel: cancelRefundedSubscriptions },
    stock: { return: returnStock },
    licensing: { suspend: suspendForOrder },
  },
  /** The unpaid order is cancelled or expires. What was paid from the balance goes back, which also follows `moneyReturned`. */
  ended: {
    subscriptions: { end: endSubscriptions },
    customers: { returnBalance },
    stock: { release },
    coupons: { releaseUse: releaseCouponUse },
  },
  /** The order is refunded or cancelled while it is on hold. */
  endedOnHold: {
    subscriptions: { release: releaseSubscriptions },
    licensing: { keepBans, unban: unbanAfterHold },
  },
} as const
