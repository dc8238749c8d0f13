import { storeRequest } from '../../api/action.ts'
import type { Order } from '../../api/store.ts'
import { addressFields, addressText, typedAddress } from '../../kit/address.ts'
import { EditAction, initialValues } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Facts, Section, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { orderList } from '../../text/order-list.ts'
import { orders } from '../../text/orders.ts'

const SOURCES: Record<Order['source'], string> = {
  api: 'API',
  storefront: orders.storefront,
  embed: orders.embed,
}

/** The states in which the buyer and the address can be changed. */
const UNPAID_STATUSES: readonly string[] = ['pending', 'partially_paid', 'manual_review']

export function OrderBuyer({ order }: { order: Order }) {
  const { customer, shipping_address: address } = order
  const mayChange = useMayWrite('orders') && UNPAID_STATUSES.includes(order.status)
  return (
    <Section title={orders.buyer} actions={mayChange && <ChangeBuyer order={order} />}>
      <Facts
        rows={[
          [
            orderList.customer,
            <Link key="customer" to={`/customers/${customer.id}`}>
              {customer.email}
            </Link>,
          ],
          [common.name, customer.name ?? undefined],
          [orders.method, order.payment_method && humanize(order.payment_method)],
          [orders.source, SOURCES[order.source]],
          [orders.coupon, order.coupon?.code ?? undefined],
          [orders.affiliate, order.affiliate?.link_code ?? undefined],
          [
            orders.expires,
            order.expires_at ? <Time key="expires" at={order.expires_at} /> : undefined,
          ],
          [orders.address, address ? addressText(address) : undefined],
          [common.note, order.note],
          ...Object.entries(order.custom_fields),
        ]}
      />
    </Section>
  )
}

const fieldsOf = ({ customer, shipping_address, fulfillment_status }: Order): readonly Field[] => [
  {
    name: 'customer_email',
    label: common.email,
    type: 'email',
    required: true,
    value: customer.email,
  },
  ...(fulfillment_status === 'not_required'
    ? []
    : addressFields('shipping_address', shipping_address)),
]

/** The changed fields as the API takes them. It replaces the whole address. */
function patchOf(order: Order, changed: FormValues) {
  const { customer_email, ...address } = changed
  const typed = { ...initialValues(fieldsOf(order)), ...address }
  return {
    ...(customer_email !== undefined && { customer_email: String(customer_email) }),
    ...(Object.keys(address).length > 0 && {
      shipping_address: typedAddress('shipping_address', typed),
    }),
  }
}

const ChangeBuyer = ({ order }: { order: Order }) => (
  <EditAction
    label={orders.changeBuyer}
    lead={<p>{orders.changeBuyerLead}</p>}
    record={order}
    read={async ({ api }) => (await api.orders.get(order.id)).order}
    fields={fieldsOf}
    request={(changed) => storeRequest('orders', 'update', order.id, patchOf(order, changed))}
  />
)
