import { storeRequest } from '../../api/action.ts'
import type { ListedTicket, TicketsListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { tickets } from '../../text/tickets.ts'

const AWAITING = { seller: tickets.awaitsUs, customer: tickets.awaitsCustomer }

const COLUMNS: readonly Column<ListedTicket>[] = [
  { label: tickets.subject, show: ({ subject }) => subject, text: ({ subject }) => subject },
  {
    label: tickets.customer,
    show: ({ customer }) => customer.email,
    text: ({ customer }) => customer.email,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => status,
  },
  {
    label: tickets.awaiting,
    show: ({ awaiting }) => (awaiting ? AWAITING[awaiting] : '–'),
    text: ({ awaiting }) => awaiting,
  },
  {
    label: tickets.messages,
    isNumber: true,
    show: ({ message_count }) => message_count,
    text: ({ message_count }) => message_count,
  },
  {
    label: tickets.last,
    isNumber: true,
    show: ({ last_message_at }) => <Time at={last_message_at} ago />,
    text: ({ last_message_at }) => last_message_at,
  },
]

export function Page() {
  const isAllowed = useMayWrite('tickets')
  return (
    <Frame title={tickets.title} actions={isAllowed && <NewTicket />}>
      <List
        name={['tickets']}
        label={tickets.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/tickets/${id}`}
        views={[
          { label: tickets.awaitingUs, query: { awaiting: 'seller' } },
          { label: tickets.awaitingCustomer, query: { awaiting: 'customer' } },
          { label: tickets.closed, query: { status: 'closed' } },
        ]}
        filters={[
          { name: 'email', label: common.email },
          { name: 'order_id', label: tickets.order },
        ]}
        empty={tickets.empty}
        read={async ({ api }, query) => {
          const page = await api.tickets.list(query as unknown as TicketsListQuery)
          return { rows: page.tickets, ...page.pagination }
        }}
      />
    </Frame>
  )
}

const NewTicket = () => (
  <Action
    label={tickets.new}
    isPrimary
    fields={[
      { name: 'email', label: common.email, required: true },
      { name: 'subject', label: tickets.subject, required: true },
      { name: 'message', label: tickets.first, type: 'textarea', required: true },
      { name: 'order_id', label: tickets.order, help: tickets.orderHelp },
    ]}
    submit={tickets.new}
    request={({ email, subject, message, order_id }) =>
      storeRequest('tickets', 'create', {
        email: String(email ?? ''),
        subject: String(subject ?? ''),
        message: String(message ?? ''),
        ...(order_id !== undefined && { order_id: String(order_id) }),
      })
    }
  />
)
