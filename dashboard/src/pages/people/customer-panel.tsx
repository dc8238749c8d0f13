import { useRead } from '../../api/store.ts'
import type { PanelProps } from '../../kit/record-panel.ts'
import { Raw } from '../../kit/show.tsx'
import { SidePanel } from '../../kit/side-panel.tsx'
import { panel } from '../../text/panel.ts'
import { CustomerActions, Summary } from './customer-frame.tsx'
import { OrdersOfEmail } from './orders-of-email.tsx'

/** A customer next to the list of customers. */
export function CustomerPanel(props: PanelProps) {
  const id = Number(props.id)
  const read = useRead(['customers', id], async ({ api }) => (await api.customers.get(id)).customer)
  return (
    <SidePanel {...props} label={panel.customer} read={read} titleOf={({ email }) => email}>
      {(customer) => (
        <>
          {customer.name && <p className="secondary-text">{customer.name}</p>}
          <div className="actions">
            <CustomerActions customer={customer} />
          </div>
          <Summary customer={customer} />
          <OrdersOfEmail email={customer.email} />
          <Raw record={customer} />
        </>
      )}
    </SidePanel>
  )
}
