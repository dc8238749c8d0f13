import { storeRequest } from '../../api/action.ts'
import { type Coupon, type CouponInput, type CouponPatch, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { dayOf, lastDayBefore, momentOfDay } from '../../kit/days.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { humanizedOptions, type Option } from '../../kit/options.ts'
import { Failure } from '../../kit/states.tsx'
import { COUPON_CODE_MAX, NOTE_MAX } from '../../kit/text-limits.ts'
import { numberOrNull, textOrNull } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import { KINDS } from './grouping-kinds.ts'

const METHODS = ['manual', 'crypto', 'card', 'paypal', 'balance', 'test'] as const
/** The limits of the API. */
const USES_MAX = 1_000_000_000
const TYPES = [
  { value: 'percentage', label: coupons.percentage },
  { value: 'fixed', label: coupons.fixed },
]

/** The categories as choices of a field, and the error if they could not be read. */
export function useCategoryOptions() {
  const { data = [], error, refetch } = useRead(['categories'], KINDS.categories.readAll)
  return {
    options: data.map(({ id, name }) => ({ value: String(id), label: name })),
    failure: error && <Failure error={error} retry={() => refetch()} />,
  }
}

const isType = (type: string) => (values: FormValues) => values.type === type

const discountFields = (currency: string, coupon?: Coupon): readonly Field[] => [
  {
    name: 'code',
    maxLength: COUPON_CODE_MAX,
    label: coupons.code,
    value: coupon?.code,
    autoComplete: 'off',
    ...(coupon ? { required: true } : { help: coupons.codeHelp }),
  },
  {
    name: 'type',
    label: coupons.type,
    type: 'select',
    required: true,
    value: coupon?.type ?? 'percentage',
    options: TYPES,
  },
  {
    name: 'discount_percent',
    label: coupons.percent,
    type: 'number',
    isDecimal: true,
    min: 0.01,
    max: 100,
    required: true,
    value: coupon?.discount_percent,
    when: isType('percentage'),
  },
  {
    name: 'amount_cents',
    label: coupons.amount,
    type: 'money',
    min: 1,
    currency,
    required: true,
    value: coupon?.amount_cents,
    when: isType('fixed'),
  },
]

const limitFields = (currency: string, coupon?: Coupon): readonly Field[] => [
  {
    name: 'starts_at',
    label: coupons.starts,
    type: 'date',
    value: coupon?.starts_at ? dayOf(coupon.starts_at) : null,
  },
  {
    name: 'expires_at',
    label: coupons.ends,
    type: 'date',
    value: coupon?.expires_at ? lastDayBefore(coupon.expires_at) : null,
  },
  {
    name: 'max_uses',
    label: coupons.maxUses,
    type: 'number',
    min: 1,
    max: USES_MAX,
    help: coupons.noLimit,
    value: coupon?.max_uses,
  },
  {
    name: 'max_uses_per_customer',
    label: coupons.maxPerCustomer,
    type: 'number',
    min: 1,
    max: USES_MAX,
    help: coupons.noLimit,
    value: coupon?.max_uses_per_customer,
  },
  {
    name: 'min_order_cents',
    label: coupons.minOrder,
    type: 'money',
    min: 0,
    currency,
    help: coupons.minOrderHelp,
    value: coupon?.min_order_cents,
  },
]

/** The fields of a coupon. Products are chosen on its page. */
export const couponFields = (
  currency: string,
  categories: readonly Option[],
  coupon?: Coupon,
): readonly Field[] => [
  ...discountFields(currency, coupon),
  ...limitFields(currency, coupon),
  ...(categories.length > 0
    ? [
        {
          name: 'category_ids',
          label: coupons.categories,
          type: 'checkboxes' as const,
          options: categories,
          value: coupon?.category_ids.map(String) ?? [],
        },
      ]
    : []),
  {
    name: 'payment_methods',
    label: coupons.methods,
    type: 'checkboxes',
    options: humanizedOptions(METHODS),
    value: coupon?.payment_methods ?? [],
  },
  {
    name: 'allowed_emails',
    label: coupons.emails,
    type: 'textarea',
    help: coupons.emailsHelp,
    value: coupon?.allowed_emails.join('\n'),
  },
  {
    name: 'applies_to_renewals',
    label: coupons.renewals,
    type: 'checkbox',
    value: coupon?.applies_to_renewals ?? false,
  },
  { name: 'note', label: common.note, maxLength: NOTE_MAX, value: coupon?.note },
]

const emailsOf = (value: unknown) =>
  String(value ?? '')
    .split(/[\s,;]+/)
    .filter((email) => email !== '')

/** The stored time if its day was chosen again; otherwise the start or the end of the chosen day. */
function momentFor(
  day: unknown,
  stored: string | null | undefined,
  bound: 'start' | 'end',
): string | null {
  if (day === undefined) return null
  const storedDay = stored && (bound === 'end' ? lastDayBefore(stored) : dayOf(stored))
  return stored && storedDay === day ? stored : momentOfDay(String(day), bound === 'end' ? 1 : 0)
}

const bodyOf = (values: FormValues, coupon?: Coupon) => ({
  type: values.type as Coupon['type'],
  discount_percent: numberOrNull(values.discount_percent),
  amount_cents: numberOrNull(values.amount_cents),
  starts_at: momentFor(values.starts_at, coupon?.starts_at, 'start'),
  expires_at: momentFor(values.expires_at, coupon?.expires_at, 'end'),
  max_uses: numberOrNull(values.max_uses),
  max_uses_per_customer: numberOrNull(values.max_uses_per_customer),
  min_order_cents: numberOrNull(values.min_order_cents),
  payment_methods: values.payment_methods as Coupon['payment_methods'],
  allowed_emails: emailsOf(values.allowed_emails),
  applies_to_renewals: values.applies_to_renewals === true,
  note: textOrNull(values.note),
  ...(values.category_ids !== undefined && {
    category_ids: (values.category_ids as string[]).map(Number),
  }),
  ...(values.code !== undefined && { code: String(values.code) }),
})

/** The body of a new coupon, without empty fields. */
export function newCouponOf(values: FormValues): CouponInput {
  const { type, ...rest } = bodyOf(values)
  const filled = Object.entries(rest).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && !value.length),
  )
  return { type, ...Object.fromEntries(filled) }
}

/** The fields of a coupon that were changed. */
export function couponPatchOf(values: FormValues, coupon: Coupon): CouponPatch {
  const before: Record<string, unknown> = { ...coupon }
  const changed = Object.entries(bodyOf(values, coupon)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed) as CouponPatch
}

/** A button that stops a coupon or starts it again. */
export const SwitchCoupon = ({ coupon: { id, code, active, uses } }: { coupon: Coupon }) => (
  <Action
    label={active ? coupons.stop : coupons.start}
    isDanger={active}
    lead={
      <p>{fill(active ? coupons.stopLead : coupons.startLead, { code, n: formatNumber(uses) })}</p>
    }
    submit={active ? coupons.stop : coupons.start}
    request={() => storeRequest('coupons', 'update', id, { active: !active })}
  />
)

export const usesOf = ({ uses, max_uses }: Coupon): string =>
  max_uses === null
    ? formatNumber(uses)
    : fill(coupons.usesOf, { n: formatNumber(uses), max: formatNumber(max_uses) })
