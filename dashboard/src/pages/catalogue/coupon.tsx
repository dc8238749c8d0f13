import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Coupon, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency, WithCurrency } from '../../kit/currency.tsx'
import { formatEnd, formatStart } from '../../kit/days.ts'
import { EditAction, initialValues } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Money, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Failure, Loaded, NotAllowed } from '../../kit/states.tsx'
import { useStoreNow } from '../../kit/store-clock.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import { useTotalDiscounts } from './coupon-amounts.ts'
import { CouponLink } from './coupon-link.tsx'
import {
  couponFields,
  couponPatchOf,
  SwitchCoupon,
  useCategoryOptions,
  usesOf,
} from './coupon-parts.tsx'
import { CouponProducts } from './coupon-products.tsx'
import { rulesText, stateOf } from './coupon-rules.ts'
import { TryCoupon } from './try-coupon.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('coupons')
  const currency = useCurrency()
  const read = useRead(
    ['coupons', Number(id)],
    async ({ api }) => (await api.coupons.get(Number(id))).coupon,
  )
  return (
    <Loaded read={read}>
      {(coupon) => (
        <Frame
          title={coupon.code}
          parent={{ to: '/coupons', label: coupons.title }}
          lead={currency && rulesText(coupon, currency)}
          actions={
            isAllowed ? (
              currency && <Actions coupon={coupon} currency={currency} />
            ) : (
              <NotAllowed area="coupons" />
            )
          }
        >
          <div className="split">
            <div>
              <CouponProducts coupon={coupon} isAllowed={isAllowed} />
              {currency && <TryCoupon coupon={coupon} currency={currency} />}
            </div>
            <div>
              <WithCurrency rows={6}>
                {(loaded) => <Rules coupon={coupon} currency={loaded} />}
              </WithCurrency>
              <Raw record={coupon} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function Rules({ coupon, currency }: { coupon: Coupon; currency: string }) {
  const { state, text } = stateOf(coupon, useStoreNow())
  const { category_ids, allowed_emails, payment_methods, affiliate_partner_id } = coupon
  const { options, failure } = useCategoryOptions()
  const amounts = useTotalDiscounts([coupon.id])
  const totalDiscount = amounts.data?.get(coupon.id)
  const nameOf = (id: number) =>
    options.find(({ value }) => value === String(id))?.label ?? String(id)
  return (
    <Section title={coupons.rules} actions={<Stamp state={state}>{text}</Stamp>}>
      {failure}
      {amounts.error && <Failure error={amounts.error} retry={() => amounts.refetch()} />}
      <Facts
        rows={[
          [coupons.code, <Copy key="code" text={coupon.code} />],
          [coupons.uses, usesOf(coupon)],
          [
            coupons.given,
            totalDiscount === undefined ? undefined : (
              <Money key="given" cents={totalDiscount} currency={currency} />
            ),
          ],
          [
            coupons.minOrder,
            coupon.min_order_cents !== null ? (
              <Money key="least" cents={coupon.min_order_cents} currency={currency} />
            ) : undefined,
          ],
          [coupons.starts, coupon.starts_at ? formatStart(coupon.starts_at) : undefined],
          [coupons.ends, coupon.expires_at ? formatEnd(coupon.expires_at) : undefined],
          [coupons.categories, category_ids.map(nameOf).join(', ') || undefined],
          [coupons.methods, payment_methods.map(humanize).join(', ') || undefined],
          [coupons.emails, allowed_emails.join(', ') || undefined],
          [
            coupons.partner,
            affiliate_partner_id ? (
              <Link key="partner" to={`/affiliates/partners/${affiliate_partner_id}`}>
                {affiliate_partner_id}
              </Link>
            ) : undefined,
          ],
          [common.note, coupon.note ?? undefined],
          [common.created, <Time key="created" at={coupon.created_at} />],
          [common.updated, <Time key="updated" at={coupon.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ coupon, currency }: { coupon: Coupon; currency: string }) {
  const { options } = useCategoryOptions()
  const openAfter = useOpenAfter()
  return (
    <>
      <EditAction
        label={common.edit}
        record={coupon}
        read={async ({ api }) => (await api.coupons.get(coupon.id)).coupon}
        fields={(current) => couponFields(currency, options, current)}
        request={(changed) => {
          const values = { ...initialValues(couponFields(currency, options, coupon)), ...changed }
          return storeRequest('coupons', 'update', coupon.id, couponPatchOf(values, coupon))
        }}
      />
      <CouponLink coupon={coupon} />
      <SwitchCoupon coupon={coupon} />
      <Action
        label={common.delete}
        title={coupons.remove}
        isDanger
        lead={
          <p>{fill(coupons.removeLead, { code: coupon.code, n: formatNumber(coupon.uses) })}</p>
        }
        submit={coupons.remove}
        request={() => openAfter(storeRequest('coupons', 'delete', coupon.id), '/coupons')}
      />
    </>
  )
}
