import { storeRequest } from '../../api/action.ts'
import { type Coupon, type CouponPatch, type NewCoupon, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { dayOf, lastDayBefore, momentOfDay } from '../../kit/days.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import { KINDS } from './grouping-kinds.ts'

const METHODS = ['manual', 'crypto', 'card', 'paypal', 'balance', 'test'] as const
const TYPES = [
  { value: 'percentage', label: coupons.percentage },
  { value: 'fixed', label: coupons.fixed },
]

/** The categories, as choices. */
export function useCategoryOptions() {
  const { data } = useRead(['categories'], KINDS.categories.readAll)
  return data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
}

type Options = ReturnType<typeof useCategoryOptions>

const isType = (type: string) => (typed: Typed) => typed.type === type

const discountFields = (currency: string, of?: Coupon): readonly Field[] => [
  {
    name: 'code',
    label: coupons.code,
    value: of?.code,
    autoComplete: 'off',
    ...(of ? { required: true } : { help: coupons.codeHelp }),
  },
  {
    name: 'type',
    label: coupons.type,
    type: 'select',
    required: true,
    value: of?.type ?? 'percentage',
    options: TYPES,
  },
  {
    name: 'discount_percent',
    label: coupons.percent,
    type: 'number',
    required: true,
    value: of?.discount_percent,
    when: isType('percentage'),
  },
  {
    name: 'amount_cents',
    label: coupons.amount,
    type: 'money',
    currency,
    required: true,
    value: of?.amount_cents,
    when: isType('fixed'),
  },
]

const limitFields = (currency: string, of?: Coupon): readonly Field[] => [
  {
    name: 'starts_at',
    label: coupons.starts,
    type: 'date',
    value: of?.starts_at ? dayOf(of.starts_at) : null,
  },
  {
    name: 'expires_at',
    label: coupons.ends,
    type: 'date',
    value: of?.expires_at ? lastDayBefore(of.expires_at) : null,
  },
  {
    name: 'max_uses',
    label: coupons.maxUses,
    type: 'number',
    help: coupons.noLimit,
    value: of?.max_uses,
  },
  {
    name: 'max_uses_per_customer',
    label: coupons.maxPerCustomer,
    type: 'number',
    help: coupons.noLimit,
    value: of?.max_uses_per_customer,
  },
  {
    name: 'min_order_cents',
    label: coupons.minOrder,
    type: 'money',
    currency,
    help: coupons.minOrderHelp,
    value: of?.min_order_cents,
  },
]

/** The fields of a coupon. Products are chosen on its page. */
export const couponFields = (
  currency: string,
  categories: Options,
  of?: Coupon,
): readonly Field[] => [
  ...discountFields(currency, of),
  ...limitFields(currency, of),
  ...(categories.length > 0
    ? [
        {
          name: 'category_ids',
          label: coupons.categories,
          type: 'checkboxes' as const,
          options: categories,
          value: of?.category_ids.map(String) ?? [],
        },
      ]
    : []),
  {
    name: 'payment_methods',
    label: coupons.methods,
    type: 'checkboxes',
    options: METHODS.map((value) => ({ value, label: humanize(value) })),
    value: of?.payment_methods ?? [],
  },
  {
    name: 'allowed_emails',
    label: coupons.emails,
    type: 'textarea',
    help: coupons.emailsHelp,
    value: of?.allowed_emails.join('\n'),
  },
  {
    name: 'applies_to_renewals',
    label: coupons.renewals,
    type: 'checkbox',
    value: of?.applies_to_renewals ?? false,
  },
  { name: 'note', label: common.note, value: of?.note },
]

const numberOf = (value: unknown) => (value === undefined ? null : (value as number))
const linesOf = (value: unknown) =>
  String(value ?? '')
    .split(/[\s,;]+/)
    .filter((line) => line !== '')

/** A moment keeps its time while its day stays. */
function momentFor(day: unknown, kept: string | null | undefined, isEnd: boolean): string | null {
  if (day === undefined) return null
  const shown = kept && (isEnd ? lastDayBefore(kept) : dayOf(kept))
  return kept && shown === day ? kept : momentOfDay(String(day), isEnd ? 1 : 0)
}

const bodyOf = (values: Typed, of?: Coupon) => ({
  type: values.type as Coupon['type'],
  discount_percent: numberOf(values.discount_percent),
  amount_cents: numberOf(values.amount_cents),
  starts_at: momentFor(values.starts_at, of?.starts_at, false),
  expires_at: momentFor(values.expires_at, of?.expires_at, true),
  max_uses: numberOf(values.max_uses),
  max_uses_per_customer: numberOf(values.max_uses_per_customer),
  min_order_cents: numberOf(values.min_order_cents),
  payment_methods: values.payment_methods as Coupon['payment_methods'],
  allowed_emails: linesOf(values.allowed_emails),
  applies_to_renewals: values.applies_to_renewals === true,
  note: values.note === undefined ? null : String(values.note),
  ...(values.category_ids !== undefined && {
    category_ids: (values.category_ids as string[]).map(Number),
  }),
  ...(values.code !== undefined && { code: String(values.code) }),
})

/** The body of a new coupon, without empty fields. */
export function newCouponOf(values: Typed): NewCoupon {
  const { type, ...rest } = bodyOf(values)
  const sent = Object.entries(rest).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && !value.length),
  )
  return { type, ...Object.fromEntries(sent) }
}

/** The fields of a coupon that were changed. */
export function couponPatchOf(values: Typed, of: Coupon): CouponPatch {
  const before: Record<string, unknown> = { ...of }
  const changed = Object.entries(bodyOf(values, of)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed) as CouponPatch
}

/** Stops a coupon, or starts it again. */
export const SwitchCoupon = ({ of: { id, code, active } }: { of: Coupon }) => (
  <Action
    label={active ? coupons.stop : coupons.start}
    isDanger={active}
    lead={<p>{fill(active ? coupons.stopLead : coupons.startLead, { code })}</p>}
    submit={active ? coupons.stop : coupons.start}
    request={() => storeRequest('coupons', 'update', id, { active: !active })}
  />
)

export const usesOf = ({ uses, max_uses }: Coupon): string =>
  max_uses === null
    ? formatNumber(uses)
    : fill(coupons.usesOf, { n: formatNumber(uses), max: formatNumber(max_uses) })
