import { type OutboxMessage, useStore } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { mailKinds } from '../../text/mail-kinds.ts'
import { records } from '../../text/records.ts'
import { MailServer } from './connections.tsx'
import { TestMail } from './test-mail.tsx'

const COLUMNS: readonly Column<OutboxMessage>[] = [
  { label: records.to, show: ({ to }) => to, text: ({ to }) => to },
  { label: records.subject, show: ({ subject }) => subject ?? '–', text: ({ subject }) => subject },
  {
    label: records.template,
    show: ({ template }) => (template === null ? '–' : mailKinds[template]),
    text: ({ template }) => template,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => status,
  },
  {
    label: records.text,
    show: ({ text }) =>
      text === null ? (
        '–'
      ) : (
        <details>
          <summary>{records.text}</summary>
          <pre>{text}</pre>
        </details>
      ),
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

export function Page() {
  const isAllowed = useMayWrite('account')
  const { role } = useStore()
  return (
    <Frame
      title={records.outbox}
      actions={isAllowed ? <TestMail /> : <NotAllowed area="account" />}
    >
      {role === 'owner' && <MailServer />}
      <List
        queryKey={['account', 'outbox']}
        label={records.outbox}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={records.outboxEmpty}
        firstStep={{
          code: 'TRADEPOST_SMTP_URL=smtps://user:password@mail.example.com?from=shop@example.com',
        }}
        read={async ({ api }, query) => {
          const page = await api.account.listOutbox(query)
          return { rows: page.messages, ...page.pagination }
        }}
      />
    </Frame>
  )
}
