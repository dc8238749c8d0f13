import type { ListedTicket } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { tickets } from '../../text/tickets.ts'
import { CustomerTab } from './customer-frame.tsx'

const COLUMNS: readonly Column<ListedTicket>[] = [
  { label: tickets.subject, show: ({ subject }) => subject, text: ({ subject }) => subject },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: tickets.last,
    isRightAligned: true,
    show: ({ last_message_at }) => <Time at={last_message_at} ago />,
    text: ({ last_message_at }) => last_message_at,
  },
]

export const Page = () => (
  <CustomerTab>
    {({ id, email }) => (
      <List
        queryKey={['tickets', 'of customer', String(id)]}
        label={customers.tickets}
        columns={COLUMNS}
        keyOf={(ticket) => ticket.id}
        hrefOf={(ticket) => `/tickets/${ticket.id}`}
        empty={customers.noTickets}
        read={async ({ api }, query) => {
          const page = await api.tickets.list({ sort: 'waiting', ...query, email })
          return { rows: page.tickets, ...page.pagination }
        }}
      />
    )}
  </CustomerTab>
)
