export {
  couponRefusal,
  evaluateCoupon,
  moveCouponUse,
  recordCouponUse,
  releaseCouponUse,
  restoreCouponUse,
} from './apply-coupon.ts'
export { moveUses } from './queries.ts'
