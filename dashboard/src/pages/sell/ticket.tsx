import { useParams } from '@tanstack/react-router'
import { dashboardRequest, storeRequest } from '../../api/action.ts'
import { type Ticket, type TicketMessage, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { MessageForm } from '../../kit/message-form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { tickets } from '../../text/tickets.ts'
import { OrdersOfEmail } from '../people/orders-of-email.tsx'
import { InsertReply } from './saved-replies.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const ticketId = Number(id)
  const isAllowed = useMayWrite('tickets')
  const read = useRead(
    ['tickets', ticketId],
    async ({ api }) => (await api.tickets.get(ticketId)).ticket,
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
              <OrdersOfEmail
                email={ticket.customer.email}
                {...(isAllowed && {
                  rowActions: ({ id: orderId, number: orderNumber }) => (
                    <LinkOrder {...{ ticket, orderId, orderNumber }} />
                  ),
                })}
              />
              <Raw record={ticket} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

export function Thread({ ticket }: { ticket: Ticket }) {
  const isAllowed = useMayWrite('tickets')
  return (
    <Section title={tickets.messages}>
      <ol className="thread">
        {ticket.messages.map((message) => (
          <Message key={message.id} message={message} email={ticket.customer.email} />
        ))}
      </ol>
      {isAllowed && ticket.status === 'open' && <Reply key={ticket.id} id={ticket.id} />}
    </Section>
  )
}

/** The form of a reply. A saved reply is inserted below the typed text. */
const Reply = ({ id }: { id: number }) => (
  <MessageForm
    record={`ticket-${id}`}
    label={tickets.replyText}
    help={tickets.replyHelp}
    submit={tickets.reply}
    tools={(insert) => <InsertReply insert={insert} />}
    request={(body) => storeRequest('tickets', 'postMessage', id, { body })}
  />
)

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

export const Summary = ({ ticket }: { ticket: Ticket }) => (
  <Section title={common.details} actions={<Stamp state={ticket.status} />}>
    <Facts
      rows={[
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
        [
          tickets.waits,
          ticket.awaiting === 'seller' ? (
            <Time key="waits" at={ticket.last_message_at} ago />
          ) : undefined,
        ],
        [common.created, <Time key="created" at={ticket.created_at} />],
        [tickets.closed, ticket.closed_at && <Time key="closed" at={ticket.closed_at} />],
      ]}
    />
  </Section>
)

export function Actions({ ticket: { id, status, order_id } }: { ticket: Ticket }) {
  const isAllowed = useMayWrite('tickets')
  if (!isAllowed) return <NotAllowed area="tickets" />
  return (
    <>
      <Action
        label={tickets.linkById}
        fields={[
          { name: 'order_id', label: tickets.orderId, value: order_id, help: tickets.linkHelp },
        ]}
        submit={tickets.linkById}
        request={({ order_id: orderId = null }) => linkRequest(id, orderId)}
      />
      {status === 'open' ? (
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
      )}
    </>
  )
}

const linkRequest = (ticketId: number, order_id: unknown) =>
  dashboardRequest('tickets', 'PUT', `/ticket-orders/${ticketId}`, { order_id })

interface LinkOrderProps {
  ticket: Ticket
  orderId: string
  orderNumber: string | number
}

/** Links an order of the customer to the ticket, or says that it is linked. */
const LinkOrder = ({ ticket, orderId, orderNumber }: LinkOrderProps) =>
  ticket.order_id === orderId ? (
    <State state="on">{tickets.isLinked}</State>
  ) : (
    <Action
      label={tickets.link}
      title={fill(tickets.linkNamed, { number: orderNumber })}
      lead={<p>{tickets.linkLead}</p>}
      submit={fill(tickets.linkNamed, { number: orderNumber })}
      request={() => linkRequest(ticket.id, orderId)}
    />
  )
