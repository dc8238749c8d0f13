import type { AccountAuditEvent, AccountListAuditEventsQuery } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { records } from '../../text/records.ts'

const whoOf = ({ actor }: AccountAuditEvent): string => actor.name ?? humanize(actor.type)
const recordOf = ({ object, object_id }: AccountAuditEvent): string =>
  `${humanize(object)} ${object_id ?? ''}`.trim()

const COLUMNS: readonly Column<AccountAuditEvent>[] = [
  {
    label: records.action,
    show: ({ action }) => <code>{action}</code>,
    text: ({ action }) => action,
  },
  { label: records.who, show: whoOf, text: whoOf },
  { label: records.record, show: recordOf, text: recordOf },
  {
    label: records.changes,
    show: ({ changes }) =>
      Object.keys(changes).length === 0 ? (
        '–'
      ) : (
        <details>
          <summary>{Object.keys(changes).join(', ')}</summary>
          <pre>{JSON.stringify(changes, null, 2)}</pre>
        </details>
      ),
    text: ({ changes }) => JSON.stringify(changes),
  },
  {
    label: common.requestId,
    show: ({ request_id }) => request_id ?? '–',
    text: ({ request_id }) => request_id,
  },
  {
    label: records.when,
    isNumber: true,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <Frame title={records.audit}>
    <List
      name={['account', 'audit']}
      label={records.audit}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      filters={[
        { name: 'action', label: records.action },
        { name: 'actor_id', label: records.actorId },
        { name: 'object_id', label: records.recordId },
      ]}
      empty={records.auditEmpty}
      read={async ({ api }, query) => {
        const page = await api.account.listAuditEvents(query as AccountListAuditEventsQuery)
        return { rows: page.audit_events, next_cursor: page.next_cursor }
      }}
    />
  </Frame>
)
