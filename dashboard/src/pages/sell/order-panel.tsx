import { useRead } from '../../api/store.ts'
import type { PanelProps } from '../../kit/record-panel.ts'
import { Raw } from '../../kit/show.tsx'
import { SidePanel } from '../../kit/side-panel.tsx'
import { fill } from '../../text/catalogue.ts'
import { orders } from '../../text/orders.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderBuyer } from './order-buyer.tsx'
import { OrderDeliveries } from './order-deliveries.tsx'
import { OrderHistory } from './order-history.tsx'
import { MailProblem } from './order-mail.tsx'
import { OrderParcels } from './order-parcels.tsx'
import { OrderPayments } from './order-payments.tsx'
import { OrderReceipt } from './order-receipt.tsx'
import { OrderReturns } from './order-returns.tsx'
import { OrderRisk } from './order-risk.tsx'

/** An order next to the list of orders. */
export function OrderPanel(props: PanelProps) {
  const { id } = props
  const read = useRead(['orders', id], async ({ api }) => (await api.orders.get(id)).order)
  return (
    <SidePanel
      {...props}
      label={orders.order}
      read={read}
      titleOf={({ number }) => fill(orders.orderTitle, { number })}
    >
      {(order) => (
        <>
          <div className="actions">
            <OrderActions order={order} />
          </div>
          <MailProblem order={order} />
          <OrderReceipt order={order} />
          <OrderParcels order={order} />
          <OrderRisk order={order} />
          <OrderBuyer order={order} />
          <OrderDeliveries order={order} />
          <OrderReturns order={order} />
          <OrderPayments order={order} />
          <OrderHistory order={order} />
          <Raw record={order} />
        </>
      )}
    </SidePanel>
  )
}
