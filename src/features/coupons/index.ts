export {
  couponInvalid,
  judgeCoupon,
  retakeCoupon,
  returnCoupon,
  takeCoupon,
} from './apply-coupon.ts'
