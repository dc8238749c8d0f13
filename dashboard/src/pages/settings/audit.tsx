import type { AccountAuditEvent, AccountListAuditEventsQuery } from '../../api/store.ts'
import { actorText } from '../../kit/actor.ts'
import { auditActionText, recordKind } from '../../kit/audit-words.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { records } from '../../text/records.ts'
import { AuditChanges } from './audit-changes.tsx'

const actorNameOf = ({ actor }: AccountAuditEvent): string => actorText(actor)
const recordText = ({ object, object_id }: AccountAuditEvent): string =>
  `${recordKind(object)} ${object_id ?? ''}`.trim()

/** The pages of records, by the object of an audit event. */
const PAGE_BY_OBJECT: Record<string, string> = {
  order: 'orders',
  product: 'products',
  customer: 'customers',
  coupon: 'coupons',
  webhook_endpoint: 'webhooks',
  api_key: 'api-keys',
  license_key: 'license-keys',
  app: 'apps',
  remote_setting: 'remote-settings',
  ticket: 'tickets',
  subscription: 'subscriptions',
}

/** Longer ids are shortened. */
const SHOWN_LENGTH_MAX = 12
const SHOWN_END_LENGTH = 6

/** The start and the end of a long id; the whole id is its title. */
function ShortId({ id }: { id: string }) {
  if (id.length <= SHOWN_LENGTH_MAX) return <code>{id}</code>
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? ''
  return <code title={id}>{`${prefix}…${id.slice(-SHOWN_END_LENGTH)}`}</code>
}

function RecordName({ event }: { event: AccountAuditEvent }) {
  if (event.object_id === null) return recordKind(event.object)
  const name = (
    <>
      {recordKind(event.object)} <ShortId id={event.object_id} />
    </>
  )
  const page = PAGE_BY_OBJECT[event.object]
  return page === undefined ? name : <Link to={`/${page}/${event.object_id}`}>{name}</Link>
}

/** Calls with a key are in the request log; calls of the dashboard are not. */
function RequestId({ event: { request_id, actor } }: { event: AccountAuditEvent }) {
  if (request_id === null) return '–'
  const text = <ShortId id={request_id} />
  return actor.type === 'api_key' ? <Link to={`/request-log/${request_id}`}>{text}</Link> : text
}

const COLUMNS: readonly Column<AccountAuditEvent>[] = [
  {
    label: records.action,
    show: ({ action }) => (
      <>
        {auditActionText(action)} <code className="beside">{action}</code>
      </>
    ),
    text: ({ action }) => auditActionText(action),
  },
  { label: records.who, show: actorNameOf, text: actorNameOf },
  { label: records.record, show: (event) => <RecordName event={event} />, text: recordText },
  {
    label: records.changes,
    show: ({ changes }) => <AuditChanges changes={changes} />,
    text: ({ changes }) => JSON.stringify(changes),
  },
  {
    label: common.requestId,
    show: (event) => <RequestId event={event} />,
    text: ({ request_id }) => request_id,
  },
  {
    label: records.when,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <Frame title={records.audit}>
    <List
      queryKey={['account', 'audit']}
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
