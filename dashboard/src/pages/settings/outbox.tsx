import type { OutboxMessage } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { records } from '../../text/records.ts'

const COLUMNS: readonly Column<OutboxMessage>[] = [
  { label: records.to, show: ({ to }) => to, text: ({ to }) => to },
  { label: records.subject, show: ({ subject }) => subject ?? '–', text: ({ subject }) => subject },
  {
    label: records.template,
    show: ({ template }) => (template === null ? '–' : humanize(template)),
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
    isNumber: true,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    label: records.sent,
    isNumber: true,
    show: ({ sent_at }) => <Time at={sent_at} />,
    text: ({ sent_at }) => sent_at,
  },
]

export const Page = () => (
  <Frame title={records.outbox}>
    <List
      name={['account', 'outbox']}
      label={records.outbox}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={records.outboxEmpty}
      read={async ({ api }, query) => {
        const page = await api.account.listOutbox(query)
        return { rows: page.messages, ...page.pagination }
      }}
    />
  </Frame>
)
