import type { AccountAuditEvent, AccountListAuditEventsQuery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { actorText } from '../../kit/actor.ts'
import { auditActionText, recordKind } from '../../kit/audit-words.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List, useSearch } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { RecordLink, recordPath } from '../../kit/record-link.tsx'
import { Time } from '../../kit/show.tsx'
import { actors } from '../../text/actors.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { records } from '../../text/records.ts'
import { AuditChanges } from './audit-changes.tsx'

const actorNameOf = ({ actor }: AccountAuditEvent): string => actorText(actor)
const recordText = ({ object, object_id }: AccountAuditEvent): string =>
  `${recordKind(object)} ${object_id ?? ''}`.trim()

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
  const path = recordPath(event.object, event.object_id)
  return path === undefined ? name : <Link to={path}>{name}</Link>
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

/** The users and API keys of the store, by the id by which the audit trail is filtered. */
function useActors() {
  const { data } = useRead(
    ['account', 'actors of the audit trail'],
    async ({ readDashboard }) => {
      const [{ team }, { api_keys }] = await Promise.all([
        readDashboard<'team.list'>('/team'),
        readDashboard<'api_keys.list'>('/api-keys'),
      ])
      return [
        ...team.map(({ id, name, email }) => ({ id, label: name || email })),
        ...api_keys.map(({ id, name }) => ({ id, label: fill(actors.keyNamed, { name }) })),
      ]
    },
    { isOptional: true },
  )
  // The ids of users and of keys are counted apart, so a user and a key can have the same one.
  const labels = new Map<string, string[]>()
  for (const { id, label } of data ?? []) {
    labels.set(String(id), [...(labels.get(String(id)) ?? []), label])
  }
  return [...labels].map(([value, names]) => ({ value, label: names.join(', ') }))
}

/** The name of the record whose changes are listed, with a link. */
function FilteredRecord({ rows }: { rows: readonly AccountAuditEvent[] }) {
  const [{ object_id }] = useSearch()
  const event = rows.find((row) => row.object_id === object_id)
  if (!event || object_id === undefined) return null
  return (
    <p>
      {recordKind(event.object)}: <RecordLink object={event.object} id={object_id} />
    </p>
  )
}

export function Page() {
  const actorOptions = useActors()
  return (
    <Frame title={records.audit}>
      <List
        queryKey={['account', 'audit']}
        label={records.audit}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={[
          { name: 'action', label: records.action },
          { name: 'actor_id', label: records.who, options: actorOptions },
          { name: 'object_id', label: records.recordId },
        ]}
        note={(rows) => <FilteredRecord rows={rows} />}
        empty={records.auditEmpty}
        read={async ({ api }, query) => {
          const page = await api.account.listAuditEvents(query as AccountListAuditEventsQuery)
          return { rows: page.audit_events, next_cursor: page.next_cursor }
        }}
      />
    </Frame>
  )
}
