import { storeRequest } from '../../api/action.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'

/** Creates an order: a test order, or on the live side a sale that happened elsewhere. */
export function NewOrderAction() {
  const { livemode, me } = useStore()
  const isAllowed = useMayWrite('orders')
  const go = useGo()
  const { data } = useRead(['products', 'for new order'], async ({ api }) => {
    const { products } = await api.products.list({
      limit: 100,
      status: ['active'],
      include: ['variants'],
    })
    return products
  })
  if (!isAllowed) return null
  const options = (data ?? []).flatMap((product) =>
    (product.variants ?? []).map((variant, _, { length }) => ({
      value: `${product.id} ${variant.id}`,
      label: length > 1 ? `${product.name} · ${variant.name}` : product.name,
    })),
  )
  return (
    <Action
      label={livemode ? orders.newOrder : orders.newTest}
      isPrimary
      fields={[
        { name: 'variant', label: orders.product, type: 'select', required: true, options },
        { name: 'quantity', label: orders.quantity, type: 'number', required: true, value: 1 },
        {
          name: 'email',
          label: common.email,
          type: 'email',
          required: true,
          value: livemode ? '' : me.user.email,
        },
        { name: 'paid', label: orders.paidNow, type: 'checkbox', value: !livemode },
      ]}
      submit={livemode ? orders.newOrder : orders.newTest}
      request={({ variant, quantity, email, paid }) =>
        storeRequest('orders', 'create', {
          items: [itemOf(String(variant), Number(quantity))],
          customer: { email: String(email ?? '') },
          ...(paid === true && { mark_paid: true }),
        })
      }
      onDone={(answer) => go(`/orders/${(answer as { order: { id: string } }).order.id}`)}
    />
  )
}

function itemOf(chosen: string, quantity: number) {
  const [product_id = '', variant_id] = chosen.split(' ')
  return { product_id, variant_id: Number(variant_id), quantity }
}
