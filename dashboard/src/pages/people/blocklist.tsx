import { storeRequest } from '../../api/action.ts'
import type { BlocklistEntry, BlocklistListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { blocklist } from '../../text/blocklist.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'

const TYPES = [
  { value: 'email', label: common.email },
  { value: 'ip', label: blocklist.ip },
]

const COLUMNS: readonly Column<BlocklistEntry>[] = [
  { label: blocklist.value, show: ({ value }) => value, text: ({ value }) => value },
  {
    label: blocklist.hits,
    isNumber: true,
    show: ({ hits }) => formatNumber(hits),
    text: ({ hits }) => hits,
  },
  { label: common.reason, show: ({ reason }) => reason ?? '–', text: ({ reason }) => reason },
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export function Page() {
  const isAllowed = useMayWrite('blocklist')
  return (
    <Frame title={blocklist.title} actions={isAllowed && <Add />}>
      <List
        name={['blocklist']}
        label={blocklist.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={[
          { name: 'value', label: blocklist.value },
          { name: 'type', label: blocklist.type, options: TYPES },
        ]}
        empty={blocklist.empty}
        read={async ({ api }, query) => {
          const page = await api.blocklist.list(query as unknown as BlocklistListQuery)
          return { rows: page.blocklist_entries, ...page.pagination }
        }}
        {...(isAllowed && { rowActions: (entry: BlocklistEntry) => <Actions entry={entry} /> })}
      />
    </Frame>
  )
}

const Add = () => (
  <Action
    label={blocklist.add}
    isPrimary
    fields={[
      {
        name: 'type',
        label: blocklist.type,
        type: 'select',
        required: true,
        value: 'email',
        options: TYPES,
      },
      { name: 'value', label: blocklist.value, required: true, help: blocklist.help },
      { name: 'reason', label: common.reason },
    ]}
    submit={blocklist.add}
    request={({ type, value, reason }) =>
      storeRequest('blocklist', 'create', {
        type: type as 'email' | 'ip',
        value: String(value ?? ''),
        ...(reason !== undefined && { reason: String(reason) }),
      })
    }
  />
)

const Actions = ({ entry }: { entry: BlocklistEntry }) => (
  <>
    <Edit entry={entry} />
    <Remove entry={entry} />
  </>
)

const Edit = ({ entry: { id, value, reason } }: { entry: BlocklistEntry }) => (
  <Action
    label={common.edit}
    title={blocklist.edit}
    fields={[
      { name: 'value', label: blocklist.value, required: true, value, help: blocklist.help },
      { name: 'reason', label: common.reason, value: reason },
    ]}
    submit={common.save}
    request={(values) =>
      storeRequest('blocklist', 'update', id, {
        value: String(values.value ?? ''),
        reason: values.reason === undefined ? null : String(values.reason),
      })
    }
  />
)

const Remove = ({ entry: { id, value, hits } }: { entry: BlocklistEntry }) => (
  <Action
    label={blocklist.remove}
    isDanger
    lead={<p>{fill(blocklist.removeLead, { value, hits: formatNumber(hits) })}</p>}
    submit={blocklist.remove}
    request={() => storeRequest('blocklist', 'delete', id)}
  />
)
