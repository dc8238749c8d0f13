import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Coupon, useStore } from '../../api/store.ts'
import { FieldInput } from '../../kit/fields.tsx'
import { formatMoney } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { type ChosenVariant, VariantChoice } from '../../kit/variant-choice.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import { picking } from '../../text/picking.ts'

/** Gets the discount of a coupon for an order from the API. */
export function TryCoupon({ of, currency }: { of: Coupon; currency: string }) {
  const { api } = useStore()
  const [chosen, setChosen] = useState<ChosenVariant>()
  const [quantity, setQuantity] = useState('1')
  const [email, setEmail] = useState('')
  const check = useMutation({
    mutationFn: ({ product, variant }: ChosenVariant) =>
      api.coupons.validate({
        code: of.code,
        items: [{ product_id: product.id, variant_id: variant.id, quantity: Number(quantity) }],
        ...(email.trim() !== '' && { email: email.trim() }),
      }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen) check.mutate(chosen)
  }
  return (
    <Section title={coupons.try}>
      <p>{coupons.tryLead}</p>
      <form className="form" onSubmit={submit}>
        {check.error && <Failure error={check.error} />}
        <VariantChoice
          onChoose={(next) => {
            check.reset()
            setChosen(next)
          }}
        />
        <FieldInput
          field={{ name: 'quantity', label: picking.quantity, type: 'number', required: true }}
          value={quantity}
          error={undefined}
          onChange={(value) => setQuantity(String(value))}
        />
        <FieldInput
          field={{ name: 'email', label: common.email, type: 'email' }}
          value={email}
          error={undefined}
          onChange={(value) => setEmail(String(value))}
        />
        <p role="status">{check.data && verdictOf(check.data, currency)}</p>
        <div className="form-end">
          <button type="submit" disabled={!chosen || check.isPending}>
            {coupons.tryVerb}
          </button>
        </div>
      </form>
    </Section>
  )
}

const verdictOf = (
  {
    reason,
    discount_cents,
  }: { reason: Exclude<keyof typeof coupons, 'valid'> | null; discount_cents: number },
  currency: string,
): string =>
  reason === null
    ? fill(coupons.valid, { amount: formatMoney(discount_cents, currency) })
    : coupons[reason]
