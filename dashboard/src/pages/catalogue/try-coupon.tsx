import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type Coupon, useStore } from '../../api/store.ts'
import { FieldInput } from '../../kit/fields.tsx'
import { ApiCall } from '../../kit/form.tsx'
import { formatMoney } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { type ChosenVariant, VariantChoice } from '../../kit/variant-choice.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { coupons } from '../../text/coupons.ts'
import { picking } from '../../text/picking.ts'

/** Shows the discount that the API computes for an order with the coupon. */
export function TryCoupon({ coupon, currency }: { coupon: Coupon; currency: string }) {
  const store = useStore()
  const [chosenVariant, setChosenVariant] = useState<ChosenVariant>()
  const [quantity, setQuantity] = useState('1')
  const [email, setEmail] = useState('')
  const validationRequest = ({ product, variant }: ChosenVariant) =>
    storeRequest('coupons', 'validate', {
      code: coupon.code,
      items: [{ product_id: product.id, variant_id: variant.id, quantity: Number(quantity) }],
      ...(email.trim() !== '' && { email: email.trim() }),
    })
  const requestForChosen = () => {
    if (!chosenVariant) throw new Error('No product is chosen.')
    return validationRequest(chosenVariant)
  }
  const validation = useMutation({
    mutationFn: (choice: ChosenVariant) =>
      validationRequest(choice).send(store) as Promise<ValidationAnswer>,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosenVariant && !validation.isPending) validation.mutate(chosenVariant)
  }
  return (
    <Section title={coupons.try}>
      <p>{coupons.tryLead}</p>
      <form className="form" onSubmit={submit}>
        {validation.error && <Failure error={validation.error} />}
        <VariantChoice
          onChoose={(next) => {
            validation.reset()
            setChosenVariant(next)
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
        <p role="status">{validation.data && answerText(validation.data, currency)}</p>
        <div className="form-end">
          <button type="submit" aria-disabled={validation.isPending} disabled={!chosenVariant}>
            {coupons.tryVerb}
          </button>
        </div>
        <ApiCall make={requestForChosen} />
      </form>
    </Section>
  )
}

/** The answer of the API: the discount, or the reason why the coupon does not apply. */
interface ValidationAnswer {
  reason: Exclude<keyof typeof coupons, 'valid'> | null
  discount_cents: number
}

const answerText = ({ reason, discount_cents }: ValidationAnswer, currency: string): string =>
  reason === null
    ? fill(coupons.valid, { amount: formatMoney(discount_cents, currency) })
    : coupons[reason]
