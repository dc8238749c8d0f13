import { useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type Coupon, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { AddProducts } from '../../kit/product-picker.tsx'
import { Section } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { coupons } from '../../text/coupons.ts'

const SHOWN = 20

const setProducts = (id: number, product_ids: string[]) =>
  storeRequest('coupons', 'update', id, { product_ids })

/** The products that a coupon applies to. */
export function CouponProducts({ of, isAllowed }: { of: Coupon; isAllowed: boolean }) {
  const { id, product_ids, variant_ids, category_ids } = of
  const [isWhole, setWhole] = useState(false)
  const isUnlimited = product_ids.length + variant_ids.length + category_ids.length === 0
  const shown = isWhole ? product_ids : product_ids.slice(0, SHOWN)
  return (
    <Section
      title={coupons.products}
      actions={
        isAllowed && (
          <AddProducts
            label={coupons.addProducts}
            isChosen={(product) => product_ids.includes(product.id)}
            request={(product) => setProducts(id, [...product_ids, product.id])}
          />
        )
      }
    >
      {product_ids.length === 0 && (
        <p>{isUnlimited ? coupons.firstProductHelp : coupons.noProducts}</p>
      )}
      <ul className="picker">
        {shown.map((product) => (
          <Named key={product} of={of} product={product} isAllowed={isAllowed} />
        ))}
      </ul>
      {shown.length < product_ids.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {fill(coupons.showAll, { n: formatNumber(product_ids.length) })}
        </button>
      )}
    </Section>
  )
}

function Named({ of, product, isAllowed }: { of: Coupon; product: string; isAllowed: boolean }) {
  const { data } = useRead(['products', product], ({ api }) => api.products.get(product))
  const name = data?.product.name ?? product
  const { id, product_ids, variant_ids, category_ids } = of
  const isLast = product_ids.length + variant_ids.length + category_ids.length === 1
  return (
    <li>
      <Link to={`/products/${product}`}>{name}</Link>
      {isAllowed && (
        <Action
          label={coupons.removeFromCoupon}
          title={fill(coupons.removeProduct, { name })}
          isDanger
          lead={isLast && <p>{coupons.lastProductLead}</p>}
          submit={fill(coupons.removeProduct, { name })}
          request={() =>
            setProducts(
              id,
              product_ids.filter((item) => item !== product),
            )
          }
        />
      )}
    </li>
  )
}
