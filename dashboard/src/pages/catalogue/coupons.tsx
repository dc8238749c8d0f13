import { storeRequest } from '../../api/action.ts'
import type { Coupon, CouponsListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { BulkWork } from '../../kit/bulk.ts'
import { useCurrency, WithCurrency } from '../../kit/currency.tsx'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State } from '../../kit/show.tsx'
import { Failure, NotAllowed } from '../../kit/states.tsx'
import { useStoreNow } from '../../kit/store-clock.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import { useTotalDiscounts } from './coupon-amounts.ts'
import { CouponLink } from './coupon-link.tsx'
import {
  couponFields,
  newCouponOf,
  SwitchCoupon,
  useCategoryOptions,
  usesOf,
} from './coupon-parts.tsx'
import { rulesText, stateOf } from './coupon-rules.ts'

/** A coupon, with the ids of all coupons on its page of the list. */
interface CouponRow extends Coupon {
  pageIds: readonly number[]
}

const columnsOf = (currency: string, now: number): readonly Column<CouponRow>[] => [
  { label: coupons.code, show: ({ code }) => code, text: ({ code }) => code },
  {
    label: common.status,
    show: (coupon) => {
      const { state, text } = stateOf(coupon, now)
      return <State state={state}>{text}</State>
    },
    text: (coupon) => stateOf(coupon, now).text,
  },
  {
    label: coupons.rules,
    show: (coupon) => rulesText(coupon, currency),
    text: (coupon) => rulesText(coupon, currency),
  },
  { label: coupons.uses, isRightAligned: true, show: usesOf, text: ({ uses }) => uses },
  {
    label: coupons.given,
    isRightAligned: true,
    show: (coupon) => <TotalDiscount coupon={coupon} currency={currency} />,
  },
]

function TotalDiscount({
  coupon: { id, pageIds },
  currency,
}: {
  coupon: CouponRow
  currency: string
}) {
  const { data, error, refetch } = useTotalDiscounts(pageIds)
  const totalDiscount = data?.get(id)
  // All rows share the request, so only the first one shows its error.
  if (error && !data && pageIds[0] === id) return <Failure error={error} retry={() => refetch()} />
  return totalDiscount === undefined ? <>–</> : <Money cents={totalDiscount} currency={currency} />
}

/** The query of the API. Without a view and a filter, the list has only the active coupons. */
function queryOf(chosen: Record<string, string | number>): CouponsListQuery {
  const { active, ...filters } = chosen
  if (active === 'all') return filters as CouponsListQuery
  const isUnfiltered = active === undefined && !('code' in filters) && !('type' in filters)
  return (isUnfiltered ? { ...filters, active: 'true' } : chosen) as CouponsListQuery
}

const BULK: BulkWork<CouponRow> = {
  area: 'coupons',
  labelOf: ({ code }) => code,
  readAgain: async ({ api }, { id }) => (await api.coupons.get(id)).coupon,
  load: async () => (await import('./bulk-coupons.ts')).COUPON_ACTIONS,
}

export function Page() {
  const isAllowed = useMayWrite('coupons')
  const currency = useCurrency()
  const now = useStoreNow()
  return (
    <Frame
      title={coupons.title}
      actions={
        isAllowed ? currency && <NewCoupon currency={currency} /> : <NotAllowed area="coupons" />
      }
    >
      <WithCurrency rows={6}>
        {(currency) => (
          <List
            queryKey={['coupons']}
            label={coupons.title}
            columns={columnsOf(currency, now)}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/coupons/${id}`}
            bulk={BULK}
            views={[
              { label: coupons.running, query: {} },
              { label: coupons.stopped, query: { active: 'false' } },
              { label: common.all, query: { active: 'all' } },
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
            ]}
            empty={coupons.empty}
            firstStep={firstStep(
              storeRequest('coupons', 'create', { type: 'percentage', discount_percent: 10 }),
              isAllowed ? { to: `/coupons#${NEW_HASH}`, label: coupons.new } : undefined,
            )}
            read={async ({ api }, query) => {
              const page = await api.coupons.list(queryOf(query))
              const pageIds = page.coupons.map(({ id }) => id)
              return {
                rows: page.coupons.map((row) => ({ ...row, pageIds })),
                ...page.pagination,
              }
            }}
            {...(isAllowed && {
              rowActions: (coupon: Coupon) => (
                <div className="actions in-row">
                  <CouponLink coupon={coupon} />
                  <SwitchCoupon coupon={coupon} />
                </div>
              ),
            })}
          />
        )}
      </WithCurrency>
    </Frame>
  )
}

function NewCoupon({ currency }: { currency: string }) {
  const { options, failure } = useCategoryOptions()
  return (
    <>
      {failure}
      <Action
        label={coupons.new}
        isPrimary
        fields={couponFields(currency, options)}
        submit={coupons.new}
        request={(values) => storeRequest('coupons', 'create', newCouponOf(values))}
        pageOf={(answer) => `/coupons/${(answer as { coupon: Coupon }).coupon.id}`}
      />
    </>
  )
}
