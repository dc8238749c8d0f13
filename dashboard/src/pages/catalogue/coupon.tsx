import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Coupon, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.ts'
import { formatEnd, formatStart } from '../../kit/days.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Money, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import {
  couponFields,
  couponPatchOf,
  SwitchCoupon,
  useCategoryOptions,
  usesOf,
} from './coupon-parts.tsx'
import { CouponProducts } from './coupon-products.tsx'
import { sentenceOf, stateOf } from './coupon-rules.ts'
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
          lead={currency && sentenceOf(coupon, currency)}
          actions={
            isAllowed ? (
              currency && <Actions of={coupon} currency={currency} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <div className="split">
            <div>
              <CouponProducts of={coupon} isAllowed={isAllowed} />
              {currency && <TryCoupon of={coupon} currency={currency} />}
            </div>
            <div>
              {currency && <Rules of={coupon} currency={currency} />}
              <Raw record={coupon} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function Rules({ of, currency }: { of: Coupon; currency: string }) {
  const { state, text } = stateOf(of)
  const { category_ids, allowed_emails, payment_methods, affiliate_partner_id } = of
  const categories = useCategoryOptions()
  const nameOf = (id: number) =>
    categories.find(({ value }) => value === String(id))?.label ?? String(id)
  return (
    <Section title={coupons.rules} actions={<Stamp state={state}>{text}</Stamp>}>
      <Facts
        of={[
          [coupons.code, <Copy key="code" text={of.code} />],
          [coupons.uses, usesOf(of)],
          [
            coupons.minOrder,
            of.min_order_cents !== null ? (
              <Money key="least" cents={of.min_order_cents} currency={currency} />
            ) : undefined,
          ],
          [coupons.starts, of.starts_at ? formatStart(of.starts_at) : undefined],
          [coupons.ends, of.expires_at ? formatEnd(of.expires_at) : undefined],
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
          [common.note, of.note ?? undefined],
          [common.created, <Time key="created" at={of.created_at} />],
          [common.updated, <Time key="updated" at={of.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ of, currency }: { of: Coupon; currency: string }) {
  const categories = useCategoryOptions()
  const leaving = useLeaving()
  return (
    <>
      <Action
        label={common.edit}
        fields={couponFields(currency, categories, of)}
        submit={common.save}
        request={(values) => storeRequest('coupons', 'update', of.id, couponPatchOf(values, of))}
      />
      <SwitchCoupon of={of} />
      <Action
        label={common.delete}
        title={coupons.remove}
        isDanger
        lead={<p>{fill(coupons.removeLead, { code: of.code, n: formatNumber(of.uses) })}</p>}
        submit={coupons.remove}
        request={() => leaving(storeRequest('coupons', 'delete', of.id), '/coupons')}
      />
    </>
  )
}
