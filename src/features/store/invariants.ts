import type { Invariant } from '../../db/invariant.ts'
import { affiliateInvariants } from './affiliates/invariants.ts'
import { salesInvariants } from './analytics/invariants.ts'
import { categoryInvariants } from './categories/invariants.ts'
import { couponInvariants } from './coupons/invariants.ts'
import { customerInvariants } from './customers/invariants.ts'
import { dynamicInvariants } from './dynamic/invariants.ts'
import { fulfillmentInvariants } from './fulfillment/invariants.ts'
import { orderInvariants } from './orders/invariants.ts'
import { paymentInvariants } from './payments/invariants.ts'
import { productInvariants } from './products/invariants.ts'
import { questionInvariants } from './questions/invariants.ts'
import { returnInvariants } from './returns/invariants.ts'
import { reviewInvariants } from './reviews/invariants.ts'
import { stockInvariants } from './stock/invariants.ts'
import { subscriptionInvariants } from './subscriptions/invariants.ts'
import { ticketInvariants } from './tickets/invariants.ts'
import { walletInvariants } from './wallet/invariants.ts'

export const storeInvariants: readonly Invariant[] = [
  ...orderInvariants,
  ...paymentInvariants,
  ...stockInvariants,
  ...productInvariants,
  ...categoryInvariants,
  ...fulfillmentInvariants,
  ...couponInvariants,
  ...customerInvariants,
  ...reviewInvariants,
  ...questionInvariants,
  ...ticketInvariants,
  ...returnInvariants,
  ...salesInvariants,
  ...dynamicInvariants,
  ...affiliateInvariants,
  ...walletInvariants,
  ...subscriptionInvariants,
]
