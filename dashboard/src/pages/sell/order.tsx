import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/store.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Raw } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { orderList } from '../../text/order-list.ts'
import { orders } from '../../text/orders.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderBuyer } from './order-buyer.tsx'
import { OrderDeliveries } from './order-deliveries.tsx'
import { OrderHistory } from './order-history.tsx'
import { MailProblem, OrderMail } from './order-mail.tsx'
import { OrderParcels } from './order-parcels.tsx'
import { OrderPayments } from './order-payments.tsx'
import { OrderReceipt } from './order-receipt.tsx'
import { OrderReturns } from './order-returns.tsx'
import { OrderRisk } from './order-risk.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['orders', id], async ({ api }) => (await api.orders.get(id)).order)
  return (
    <Loaded read={read}>
      {(order) => (
        <Frame
          title={fill(orders.orderTitle, { number: order.number })}
          parent={{ to: '/orders', label: orderList.title }}
          lead={<Copy text={order.id} />}
          actions={<OrderActions order={order} />}
        >
          <MailProblem order={order} />
          <div className="split">
            <div>
              <OrderReceipt order={order} />
              <OrderParcels order={order} />
              <OrderDeliveries order={order} />
              <OrderReturns order={order} />
              <OrderPayments order={order} />
              <OrderMail order={order} />
            </div>
            <div>
              <OrderBuyer order={order} />
              <OrderRisk order={order} />
              <OrderHistory order={order} />
              <Raw record={order} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}
