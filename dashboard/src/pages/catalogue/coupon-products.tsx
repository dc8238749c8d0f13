import { useState } from 'react'
import { type Request, storeRequest } from '../../api/action.ts'
import { type Coupon, TradepostError, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { AddProducts } from '../../kit/product-picker.tsx'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'

/** The number of products that are listed at first. */
const SHOWN_AT_FIRST = 20

/**
 * The request that changes the products of a coupon. The coupon is read again first, so that the changes of other
 * users are kept. The request refuses to remove the last limit of the coupon unless the dialog said that it is the
 * last one.
 */
const changeProductsRequest = (
  shownCoupon: Coupon,
  change: (ids: readonly string[]) => string[],
): Request => ({
  ...storeRequest('coupons', 'update', shownCoupon.id, {
    product_ids: change(shownCoupon.product_ids),
  }),
  send: async ({ api }) => {
    const { coupon } = await api.coupons.get(shownCoupon.id)
    const product_ids = change(coupon.product_ids)
    const removesLastLimit = isUnlimited({ ...coupon, product_ids }) && !isUnlimited(coupon)
    if (removesLastLimit && limitCountOf(shownCoupon) > 1) {
      throw new TradepostError({
        ...{ operation: 'coupons.update', status: 409, code: 'INVALID_STATE' },
        message: coupons.becameLast,
      })
    }
    return api.coupons.update(shownCoupon.id, { product_ids })
  },
})

type Limits = Pick<Coupon, 'product_ids' | 'variant_ids' | 'category_ids'>
const limitCountOf = ({ product_ids, variant_ids, category_ids }: Limits): number =>
  product_ids.length + variant_ids.length + category_ids.length
const isUnlimited = (limits: Limits): boolean => limitCountOf(limits) === 0

const withProduct = (productId: string) => (ids: readonly string[]) => [
  ...new Set([...ids, productId]),
]
const withoutProduct = (productId: string) => (ids: readonly string[]) =>
  ids.filter((id) => id !== productId)

/** The products that a coupon applies to. */
export function CouponProducts({ coupon, isAllowed }: { coupon: Coupon; isAllowed: boolean }) {
  const { product_ids } = coupon
  const [showsAll, setShowsAll] = useState(false)
  const shownIds = showsAll ? product_ids : product_ids.slice(0, SHOWN_AT_FIRST)
  return (
    <Section
      title={coupons.products}
      actions={
        isAllowed && (
          <AddProducts
            label={coupons.addProducts}
            isChosen={(product) => product_ids.includes(product.id)}
            request={(product) => changeProductsRequest(coupon, withProduct(product.id))}
          />
        )
      }
    >
      {product_ids.length === 0 && (
        <p>{isUnlimited(coupon) ? coupons.firstProductHelp : coupons.noProducts}</p>
      )}
      <ul className="picker">
        {shownIds.map((productId) => (
          <CouponProduct key={productId} {...{ coupon, productId, isAllowed }} />
        ))}
      </ul>
      {shownIds.length < product_ids.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          {fill(coupons.showAll, { n: formatNumber(product_ids.length) })}
        </button>
      )}
    </Section>
  )
}

interface CouponProductProps {
  coupon: Coupon
  productId: string
  isAllowed: boolean
}

function CouponProduct({ coupon, productId, isAllowed }: CouponProductProps) {
  const { data, error, refetch } = useRead(['products', productId], ({ api }) =>
    api.products.get(productId),
  )
  const name = data?.product.name ?? productId
  const { product_ids, uses } = coupon
  return (
    <li>
      <Link to={`/products/${productId}`}>{name}</Link>
      {error && <Failure error={error} retry={() => refetch()} />}
      {isAllowed && (
        <Action
          label={coupons.removeFromCoupon}
          title={fill(coupons.removeProduct, { name })}
          isDanger
          lead={
            <>
              {limitCountOf(coupon) === 1 && <p>{coupons.lastProductLead}</p>}
              <p>
                {fill(coupons.removeProductLead, {
                  products: formatNumber(product_ids.length - 1),
                  uses: formatNumber(uses),
                })}
              </p>
            </>
          }
          submit={fill(coupons.removeProduct, { name })}
          request={() => changeProductsRequest(coupon, withoutProduct(productId))}
          undo={() => ({
            text: fill(common.removed, { name }),
            request: changeProductsRequest(coupon, withProduct(productId)),
          })}
        />
      )}
    </li>
  )
}
