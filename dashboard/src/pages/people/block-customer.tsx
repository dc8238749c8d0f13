import { storeRequest } from '../../api/action.ts'
import type { Customer, StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Consequence } from '../../kit/consequence.tsx'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { orders } from '../../text/orders.ts'
import { countLive } from '../sell/live-subscriptions.tsx'
import { OPEN_STATUSES } from '../sell/open-orders.ts'

type BlockedCustomer = Pick<Customer, 'id' | 'email'>

/** Counts the open orders of a customer, and the subscriptions that a block keeps from being charged. */
async function countOpen(store: StoreContext, { id, email }: BlockedCustomer) {
  const [open, subscriptions] = await Promise.all([
    store.api.orders.list({ customer_id: id, status: [...OPEN_STATUSES], limit: 1 }),
    countLive(store, { customer_email: email }),
  ])
  return { orders: open.pagination.total, subscriptions }
}

interface BlockActionsProps {
  customer: BlockedCustomer
  /** True if the customer is blocked; undefined while this is read. */
  isBlocked: boolean | undefined
}

/** Puts the address of a customer on the blocklist, or removes it if it is there. */
export const BlockActions = ({ customer, isBlocked }: BlockActionsProps) =>
  isBlocked ? (
    <Unblock customer={customer} />
  ) : (
    <Block customer={customer} isDisabled={isBlocked === undefined} />
  )

const Unblock = ({ customer: { id, email } }: { customer: BlockedCustomer }) => (
  <Action
    label={customers.unblock}
    lead={<p>{fill(customers.unblockLead, { email })}</p>}
    submit={customers.unblock}
    request={() => storeRequest('customers', 'unblock', id)}
  />
)

const Block = ({ customer, isDisabled }: { customer: BlockedCustomer; isDisabled: boolean }) => (
  <Action
    label={orders.block}
    isDanger
    isDisabled={isDisabled}
    lead={
      <>
        <p>{fill(orders.blockLead, { email: customer.email })}</p>
        <Consequence
          queryKey={['customers', customer.id, 'block']}
          read={(store) => countOpen(store, customer)}
        >
          {(counts) =>
            fill(orders.blockKeeps, {
              orders: formatNumber(counts.orders),
              subscriptions: formatNumber(counts.subscriptions),
            })
          }
        </Consequence>
      </>
    }
    fields={[
      { name: 'note', label: common.reason },
      { name: 'block_ips', label: orders.blockAddresses, type: 'checkbox' },
    ]}
    submit={orders.block}
    request={({ note, block_ips }) =>
      storeRequest('customers', 'block', customer.id, {
        ...(note !== undefined && { note: String(note) }),
        ...(block_ips === true && { block_ips: true }),
      })
    }
  />
)
