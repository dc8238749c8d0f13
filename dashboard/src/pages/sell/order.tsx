import { useParams } from '@tanstack/react-router'
import type { Order } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { formatMoney, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Raw, Receipt, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderDeliveries } from './order-deliveries.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderPayments } from './order-payments.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['orders', id], async ({ api }) => (await api.orders.get(id)).order)
  return (
    <Loaded read={read}>
      {(order) => (
        <Frame
          title={fill(orders.order, { number: order.number })}
          parent={{ to: '/orders', label: orders.title }}
          lead={<Copy text={order.id} />}
          actions={<OrderActions order={order} />}
        >
          <div className="split">
            <div>
              <OrderReceipt order={order} />
              <OrderDeliveries order={order} />
              <OrderPayments order={order} />
            </div>
            <div>
              <Buyer order={order} />
              <OrderHistory order={order} />
              <Raw record={order} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function OrderReceipt({ order }: { order: Order }) {
  const { currency, total_cents, paid_cents, refunded_cents } = order
  const money = (cents: number) => formatMoney(cents, currency)
  const line = (key: string, name: string, cents: number) =>
    cents === 0 ? [] : [{ key, name, amount: money(cents) }]
  const owed = total_cents - paid_cents
  const isOpen = ['pending', 'partially_paid', 'manual_review'].includes(order.status)
  return (
    <section className="sheet torn" aria-label={orders.receipt}>
      <header className="sheet-head">
        <h2>{orders.receipt}</h2>
        <Stamp state={order.status} />
      </header>
      <Receipt
        lines={[
          ...order.items.map((item) => ({
            key: `item ${item.id}`,
            name: (
              <>
                {item.quantity} ×{' '}
                <Link to={`/products/${item.product_id}`}>
                  {item.name}
                  {item.variant_name !== 'Default' && ` · ${item.variant_name}`}
                </Link>
              </>
            ),
            amount: money(item.quantity * item.unit_price_cents),
          })),
          ...line('discount', orders.discount, -order.discount_cents),
          ...line('shipping', orders.shipping, order.shipping_cents),
          { key: 'total', name: common.total, amount: money(total_cents), isSum: true },
          ...line('paid', orders.paidSum, paid_cents),
          ...line('refunded', orders.refundedSum, -refunded_cents),
          ...(isOpen && owed > 0
            ? [{ key: 'owed', name: orders.due, amount: money(owed), isSum: true }]
            : paid_cents > 0
              ? [
                  {
                    key: 'keep',
                    name: orders.youKeep,
                    amount: money(paid_cents - refunded_cents),
                    isSum: true,
                  },
                ]
              : []),
        ]}
      />
    </section>
  )
}

const SOURCES: Record<Order['source'], string> = {
  api: 'API',
  storefront: orders.storefront,
  embed: orders.embed,
}

function Buyer({ order }: { order: Order }) {
  const { customer, shipping_address: address } = order
  return (
    <Section title={orders.facts}>
      <Facts
        of={[
          [
            orders.customer,
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
          [
            orders.address,
            address
              ? Object.values(address)
                  .filter((part) => typeof part === 'string' && part !== '')
                  .join(', ')
              : undefined,
          ],
          [common.note, order.note],
          ...Object.entries(order.custom_fields),
        ]}
      />
    </Section>
  )
}
