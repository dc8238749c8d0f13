export {
  couponInvalid,
  judgeCoupon,
  moveCoupon,
  retakeCoupon,
  returnCoupon,
  takeCoupon,
} from './apply-coupon.ts'
export { moveUses } from './queries.ts'
