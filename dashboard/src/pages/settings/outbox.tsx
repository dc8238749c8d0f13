import { type OutboxMessage, useStore } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { type Column, type Filter, List } from '../../kit/list.tsx'
import { Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { mail } from '../../text/mail.ts'
import { mailKinds } from '../../text/mail-kinds.ts'
import { payments } from '../../text/payments.ts'
import { records } from '../../text/records.ts'
import { MailFrame } from './mail-frame.tsx'
import { MailState, mailKindText, ShowMail, STATUSES, statusText } from './sent-mail.tsx'
import { MailServer } from './system-parts.tsx'
import { TestMail } from './test-mail.tsx'

const COLUMNS: readonly Column<OutboxMessage>[] = [
  { label: records.to, show: ({ to }) => to, text: ({ to }) => to },
  { label: records.subject, show: ({ subject }) => subject ?? '–', text: ({ subject }) => subject },
  {
    label: records.template,
    show: mailKindText,
    text: mailKindText,
  },
  {
    label: common.status,
    show: (message) => <MailState message={message} />,
    text: ({ status }) => statusText(status),
  },
  {
    label: payments.order,
    show: ({ order_id }) =>
      order_id === null ? '–' : <Link to={`/orders/${order_id}`}>{payments.openOrder}</Link>,
    text: ({ order_id }) => order_id,
  },
  {
    label: records.text,
    show: (message) => <ShowMail message={message} />,
  },
  {
    label: common.created,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    label: records.sent,
    isRightAligned: true,
    show: ({ sent_at }) => <Time at={sent_at} />,
    text: ({ sent_at }) => sent_at,
  },
]

const FILTERS: readonly Filter[] = [
  {
    name: 'template',
    label: records.template,
    options: Object.entries(mailKinds).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'status',
    label: common.status,
    options: STATUSES.map((value) => ({ value, label: statusText(value) })),
  },
]

export function Page() {
  const isAllowed = useMayWrite('account')
  const { role } = useStore()
  return (
    <MailFrame actions={isAllowed ? <TestMail /> : <NotAllowed area="account" />}>
      {role === 'owner' && <MailServer />}
      <List
        queryKey={['account', 'outbox']}
        label={mail.sent}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={FILTERS}
        empty={records.outboxEmpty}
        firstStep={{
          code: 'TRADEPOST_SMTP_URL=smtps://user:password@mail.example.com?from=orders@example.com',
        }}
        read={async ({ api }, query) => {
          const page = await api.account.listOutbox(query)
          return { rows: page.messages, ...page.pagination }
        }}
      />
    </MailFrame>
  )
}
