import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Order, type Ticket, type TicketMessage, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Form, useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { tickets } from '../../text/tickets.ts'

const ORDERS = 10

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const number = Number(id)
  const read = useRead(
    ['tickets', number],
    async ({ api }) => (await api.tickets.get(number)).ticket,
  )
  return (
    <Loaded read={read}>
      {(ticket) => (
        <Frame
          title={ticket.subject}
          parent={{ to: '/tickets', label: tickets.title }}
          lead={ticket.customer.email}
          actions={<Actions ticket={ticket} />}
        >
          <div className="split">
            <div>
              <Thread ticket={ticket} />
            </div>
            <div>
              <Summary ticket={ticket} />
              <Orders email={ticket.customer.email} />
              <Raw record={ticket} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function Thread({ ticket }: { ticket: Ticket }) {
  const isAllowed = useMayWrite('tickets')
  return (
    <Section title={tickets.messages}>
      <ol className="thread">
        {ticket.messages.map((message) => (
          <Message key={message.id} message={message} email={ticket.customer.email} />
        ))}
      </ol>
      {isAllowed && ticket.status === 'open' && (
        <Form
          // A new form after each message, so that the sent text is gone.
          key={ticket.message_count}
          fields={[
            {
              name: 'body',
              label: tickets.replyText,
              type: 'textarea',
              required: true,
              help: tickets.replyHelp,
            },
          ]}
          submit={tickets.reply}
          request={({ body }) =>
            storeRequest('tickets', 'postMessage', ticket.id, { body: String(body ?? '') })
          }
        />
      )}
    </Section>
  )
}

const Message = ({ message, email }: { message: TicketMessage; email: string }) => {
  const { author, body, created_at } = message
  const name = { seller: tickets.seller, customer: email, system: tickets.system }[author]
  return (
    <li className={`message ${author}`}>
      <p className="message-head">
        <strong>{name}</strong> <Time at={created_at} />
      </p>
      <p className="message-text">{body}</p>
    </li>
  )
}

const Summary = ({ ticket }: { ticket: Ticket }) => (
  <Section title={common.details} actions={<Stamp state={ticket.status} />}>
    <Facts
      of={[
        [
          tickets.customer,
          ticket.customer.id === null ? (
            ticket.customer.email
          ) : (
            <Link key="customer" to={`/customers/${ticket.customer.id}`}>
              {ticket.customer.email}
            </Link>
          ),
        ],
        [
          tickets.order,
          ticket.order_id && (
            <Link key="order" to={`/orders/${ticket.order_id}`}>
              {ticket.order_id}
            </Link>
          ),
        ],
        [common.created, <Time key="created" at={ticket.created_at} />],
        [tickets.closed, ticket.closed_at && <Time key="closed" at={ticket.closed_at} />],
      ]}
    />
  </Section>
)

function Orders({ email }: { email: string }) {
  const read = useRead(
    ['orders', 'of', email],
    async ({ api }) => (await api.orders.list({ email, limit: ORDERS })).orders,
  )
  return (
    <Section title={tickets.orders}>
      <Loaded read={read}>
        {(orders) =>
          orders.length === 0 ? (
            <Empty>{tickets.noOrders}</Empty>
          ) : (
            <Table
              label={tickets.orders}
              rows={orders as Order[]}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/orders/${id}`}
              columns={[
                { label: tickets.order, show: ({ number }) => `#${number}` },
                { label: common.status, show: ({ status }) => <State state={status} /> },
                {
                  label: common.total,
                  isNumber: true,
                  show: ({ total_cents, currency }) => (
                    <Money cents={total_cents} currency={currency} />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

function Actions({ ticket: { id, status } }: { ticket: Ticket }) {
  const isAllowed = useMayWrite('tickets')
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  return status === 'open' ? (
    <Action
      label={tickets.close}
      lead={<p>{tickets.closeLead}</p>}
      submit={tickets.close}
      request={() => storeRequest('tickets', 'close', id)}
    />
  ) : (
    <Action
      label={tickets.reopen}
      submit={tickets.reopen}
      request={() => storeRequest('tickets', 'reopen', id)}
    />
  )
}
