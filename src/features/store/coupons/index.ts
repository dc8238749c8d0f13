export {
  couponRefusal,
  evaluateCoupon,
  moveCouponUse,
  recordCouponUse,
  releaseCouponUse,
  restoreCouponUse,
} from './apply-coupon.ts'
export { moveUses, type NewUse } from './queries.ts'
