import { storeRequest } from '../../api/action.ts'
import type { Coupon, CouponsListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import {
  couponFields,
  newCouponOf,
  SwitchCoupon,
  useCategoryOptions,
  usesOf,
} from './coupon-parts.tsx'
import { sentenceOf, stateOf } from './coupon-rules.ts'

const columnsOf = (currency: string): readonly Column<Coupon>[] => [
  { label: coupons.code, show: ({ code }) => code, text: ({ code }) => code },
  {
    label: common.status,
    show: (coupon) => {
      const { state, text } = stateOf(coupon)
      return <State state={state}>{text}</State>
    },
    text: (coupon) => stateOf(coupon).text,
  },
  {
    label: coupons.rules,
    show: (coupon) => sentenceOf(coupon, currency),
    text: (coupon) => sentenceOf(coupon, currency),
  },
  { label: coupons.uses, isNumber: true, show: usesOf, text: ({ uses }) => uses },
]

export function Page() {
  const isAllowed = useMayWrite('coupons')
  const currency = useCurrency()
  return (
    <Frame
      title={coupons.title}
      actions={
        isAllowed ? (
          currency && <NewCoupon currency={currency} />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      {currency && (
        <List
          name={['coupons']}
          label={coupons.title}
          columns={columnsOf(currency)}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/coupons/${id}`}
          views={[
            { label: coupons.running, query: { active: 'true' } },
            { label: coupons.stopped, query: { active: 'false' } },
          ]}
          filters={[
            { name: 'code', label: coupons.code },
            {
              name: 'type',
              label: coupons.type,
              options: [
                { value: 'percentage', label: coupons.percentage },
                { value: 'fixed', label: coupons.fixed },
              ],
            },
            {
              name: 'active',
              label: common.status,
              options: [
                { value: 'true', label: coupons.running },
                { value: 'false', label: coupons.stopped },
              ],
            },
          ]}
          empty={coupons.empty}
          read={async ({ api }, query) => {
            const page = await api.coupons.list(query as unknown as CouponsListQuery)
            return { rows: page.coupons, ...page.pagination }
          }}
          {...(isAllowed && { rowActions: (coupon: Coupon) => <SwitchCoupon of={coupon} /> })}
        />
      )}
    </Frame>
  )
}

function NewCoupon({ currency }: { currency: string }) {
  const categories = useCategoryOptions()
  const go = useGo()
  return (
    <Action
      label={coupons.new}
      isPrimary
      fields={couponFields(currency, categories)}
      submit={coupons.new}
      request={(values) => storeRequest('coupons', 'create', newCouponOf(values))}
      onDone={(answer) => go(`/coupons/${(answer as { coupon: Coupon }).coupon.id}`)}
    />
  )
}
