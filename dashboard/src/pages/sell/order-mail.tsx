import { type Order, type OutboxMessage, useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Copy, Section, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orderMail } from '../../text/order-mail.ts'
import { records } from '../../text/records.ts'
import { MailState, mailKindText, ShowMail } from '../settings/sent-mail.tsx'
import { mayResend, Resend } from './order-actions.tsx'

const MAILS_MAX = 100

const useMails = ({ id }: Order, options: { enabled?: boolean } = {}) =>
  useRead(
    // A change of the order can send a mail.
    ['orders', id, 'mail'],
    async ({ api }) => (await api.account.listOutbox({ order_id: id, limit: MAILS_MAX })).messages,
    options,
  )

/** Tells that the mail server of the buyer has refused a mail for good, and what the seller can do about it. */
export function MailProblem({ order }: { order: Order }) {
  const isAllowed = useMayWrite('orders')
  const { mail_problem: problem, customer, order_url } = order
  const { data: mails = [] } = useMails(order, { enabled: problem !== null })
  if (!problem) return null
  const refused = mails.find(({ id }) => id === problem.message_id)
  return (
    <section className="failure" aria-label={orderMail.problem}>
      <h2>{orderMail.problem}</h2>
      <p>
        {fill(orderMail.problemLead, {
          email: refused?.to ?? customer.email,
          at: formatDateTime(problem.at),
        })}
      </p>
      <blockquote>{problem.answer}</blockquote>
      <p>{orderMail.cures}</p>
      <ul>
        <li>
          <Link to={`/customers/${customer.id}`}>{orderMail.correct}</Link>
        </li>
        {isAllowed && mayResend(order) && (
          <li>
            <Resend order={order} label={orderMail.resend} />
          </li>
        )}
        {order_url !== null && (
          <li>
            {orderMail.copyLink} <Copy text={order_url} label={orderMail.link} />
          </li>
        )}
      </ul>
    </section>
  )
}

/** The mail about an order of the past 30 days, the newest first. */
export function OrderMail({ order }: { order: Order }) {
  const read = useMails(order)
  return (
    <Section title={orderMail.title}>
      <Loaded read={read} rows={2}>
        {(mails) =>
          mails.length === 0 ? <Empty>{orderMail.none}</Empty> : <Mails mails={mails} />
        }
      </Loaded>
    </Section>
  )
}

const Mails = ({ mails }: { mails: readonly OutboxMessage[] }) => (
  <Table
    label={orderMail.title}
    rows={mails}
    keyOf={({ id }) => id}
    columns={[
      { label: records.template, show: mailKindText },
      { label: records.to, show: ({ to }) => to },
      { label: common.status, show: (message) => <MailState message={message} /> },
      { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
      { label: records.text, show: (message) => <ShowMail message={message} /> },
    ]}
  />
)
