import { type Request, storeRequest } from '../../api/action.ts'
import { useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { addressFields, typedAddress } from '../../kit/address.ts'
import { useCurrency } from '../../kit/currency.tsx'
import type { FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney } from '../../kit/format.ts'
import { Receipt } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { orderList } from '../../text/order-list.ts'
import { orders } from '../../text/orders.ts'
import { itemsIn, OrderItems, requestItems, totalOf, withRowNames } from './order-items.tsx'
import { shippingRateField, useOfferedRates } from './shipping-rate-field.tsx'

const hasPhysical = ({ items }: FormValues) => itemsIn(items).some(({ isPhysical }) => isPhysical)

/** Creates an order: a test order, or on the live side a sale outside of Tradepost. */
export function NewOrderAction() {
  const { livemode, me } = useStore()
  const isAllowed = useMayWrite('orders')
  if (!isAllowed) return <NotAllowed area="orders" />
  return (
    <Action
      label={livemode ? orderList.newOrder : orderList.newTest}
      isPrimary
      fields={[
        {
          name: 'items',
          label: orders.items,
          value: [],
          control: ({ value, errorOf, onChange }) => (
            <OrderItems items={itemsIn(value)} errorOf={errorOf} onChange={onChange} />
          ),
        },
        {
          name: 'email',
          label: common.email,
          type: 'email',
          required: true,
          value: livemode ? '' : me.user.email,
        },
        ...addressFields('shipping_address', null, hasPhysical),
        shippingRateField(hasPhysical),
        { name: 'paid', label: orders.alreadyPaid, type: 'checkbox', value: !livemode },
      ]}
      submit={livemode ? orderList.newOrder : orderList.newTest}
      request={requestOf}
      pageOf={(answer) => `/orders/${(answer as { order: { id: string } }).order.id}`}
    >
      {(values) => <Total values={values} />}
    </Action>
  )
}

function requestOf({ items, email, paid, shipping_rate_id, ...address }: FormValues): Request {
  const orderItems = itemsIn(items)
  const request = storeRequest('orders', 'create', {
    items: requestItems(orderItems),
    customer: { email: String(email ?? '') },
    shipping_address: typedAddress('shipping_address', address),
    ...(shipping_rate_id !== undefined && { shipping_rate_id: Number(shipping_rate_id) }),
    ...(paid === true && { mark_paid: true }),
  })
  return {
    ...request,
    send: async (store) => {
      try {
        return await request.send(store)
      } catch (error) {
        throw withRowNames(error, orderItems)
      }
    },
  }
}

/** The total of the order as the server computes it: prices after their discounts, and shipping. */
function Total({ values }: { values: FormValues }) {
  const currency = useCurrency()
  const rates = useOfferedRates(values)
  const items = itemsIn(values.items)
  if (items.length === 0 || currency === undefined) return null
  const rate = rates.find(({ rate_id }) => rate_id === values.shipping_rate_id)
  const shippingCents = rate?.price_cents ?? 0
  return (
    <div role="status">
      <Receipt
        lines={[
          ...(rate
            ? [
                {
                  key: 'shipping',
                  name: orders.shipping,
                  amount: formatMoney(shippingCents, currency),
                },
              ]
            : []),
          {
            key: 'total',
            name: common.total,
            amount: formatMoney(totalOf(items) + shippingCents, currency),
            isSum: true,
          },
        ]}
      />
    </div>
  )
}
