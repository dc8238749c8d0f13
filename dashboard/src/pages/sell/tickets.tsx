import { storeRequest } from '../../api/action.ts'
import type { ListedTicket, TicketsListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { BulkWork } from '../../kit/bulk.ts'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { tickets } from '../../text/tickets.ts'
import { TicketTabs } from './ticket-replies.tsx'

const AWAITED_NAMES = { seller: tickets.awaitsUs, customer: tickets.awaitsCustomer }

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
    text: ({ status }) => humanize(status),
  },
  {
    label: tickets.awaiting,
    isExtra: true,
    show: ({ awaiting }) => (awaiting ? AWAITED_NAMES[awaiting] : '–'),
    text: ({ awaiting }) => awaiting && AWAITED_NAMES[awaiting],
  },
  {
    label: tickets.messages,
    isExtra: true,
    isRightAligned: true,
    show: ({ message_count }) => message_count,
    text: ({ message_count }) => message_count,
  },
  {
    label: tickets.waits,
    isRightAligned: true,
    show: ({ awaiting, last_message_at }) =>
      awaiting === 'seller' ? (
        <strong className="waiting">
          <Time at={last_message_at} ago />
        </strong>
      ) : (
        '–'
      ),
    text: ({ awaiting, last_message_at }) => (awaiting === 'seller' ? last_message_at : null),
  },
  {
    label: tickets.last,
    isExtra: true,
    isRightAligned: true,
    show: ({ last_message_at }) => <Time at={last_message_at} ago />,
    text: ({ last_message_at }) => last_message_at,
  },
]

const BULK: BulkWork<ListedTicket> = {
  area: 'tickets',
  labelOf: ({ subject }) => subject,
  readAgain: async ({ api }, { id }) => (await api.tickets.get(id)).ticket,
  load: async () => (await import('./bulk-tickets.ts')).TICKET_ACTIONS,
}

const PANEL = {
  path: '/tickets',
  Panel: lazyPart(async () => (await import('./ticket-panel.tsx')).TicketPanel, 'opened'),
}

export function Page() {
  const isAllowed = useMayWrite('tickets')
  return (
    <Frame
      title={tickets.title}
      actions={isAllowed ? <NewTicket /> : <NotAllowed area="tickets" />}
    >
      <TicketTabs />
      <List
        queryKey={['tickets']}
        label={tickets.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/tickets/${id}`}
        bulk={BULK}
        panel={PANEL}
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
        firstStep={firstStep(
          storeRequest('tickets', 'create', {
            email: 'ada@example.com',
            subject: 'My key',
            message: 'It does not work.',
          }),
          isAllowed ? { to: `/tickets#${NEW_HASH}`, label: tickets.new } : undefined,
        )}
        read={async ({ api }, query) => {
          const page = await api.tickets.list({ sort: 'waiting', ...query } as TicketsListQuery)
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
      { name: 'message', label: tickets.customerMessage, type: 'textarea', required: true },
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
