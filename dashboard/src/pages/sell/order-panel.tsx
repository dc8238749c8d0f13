import { useEffect, useRef } from 'react'
import { useRead } from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { Raw } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
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

interface PanelProps {
  id: string
  close(): void
}

/** An order next to the list of orders. The escape key closes it. */
export function OrderPanel({ id, close }: PanelProps) {
  const read = useRead(['orders', id], async ({ api }) => (await api.orders.get(id)).order)
  useEscape(close)
  return (
    <aside className="side-panel" aria-label={orders.order}>
      <header className="card-head">
        <Link to={`/orders/${id}`}>{orders.openPage}</Link>
        <button type="button" className="text-button" onClick={close}>
          {common.close}
        </button>
      </header>
      <Loaded read={read}>
        {(order) => (
          <>
            <Heading id={id} text={fill(orders.orderTitle, { number: order.number })} />
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
      </Loaded>
    </aside>
  )
}

/** Takes the focus when another order is opened. */
function Heading({ id, text }: { id: string; text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id is the order that was opened.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [id])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {text}
    </h2>
  )
}

function useEscape(close: () => void) {
  useEffect(() => {
    // A dialog or a menu above the panel handles the key itself.
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) close()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [close])
}
