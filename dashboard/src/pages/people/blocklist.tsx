import { storeRequest } from '../../api/action.ts'
import type { BlocklistEntry, BlocklistListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { blocklist } from '../../text/blocklist.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { BlockedOrders } from './blocked-orders.tsx'
import { BlocklistTest } from './blocklist-test.tsx'

const EMAIL_TYPE = { value: 'email', label: common.email }
const IP_TYPE = { value: 'ip', label: blocklist.ipRange }
/** A choice of the form only. The API stores a domain as an email pattern. */
const DOMAIN_TYPE = { value: 'domain', label: blocklist.domain }

const COLUMNS: readonly Column<BlocklistEntry>[] = [
  { label: blocklist.value, show: ({ value }) => value, text: ({ value }) => value },
  {
    label: blocklist.hits,
    isRightAligned: true,
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
    <Frame title={blocklist.title} actions={isAllowed ? <Add /> : <NotAllowed area="blocklist" />}>
      <List
        queryKey={['blocklist']}
        label={blocklist.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        views={[
          { label: common.email, query: { type: 'email' } },
          { label: blocklist.ipRange, query: { type: 'ip' } },
        ]}
        filters={[
          { name: 'value', label: blocklist.value },
          { name: 'type', label: blocklist.type, options: [EMAIL_TYPE, IP_TYPE] },
        ]}
        empty={blocklist.empty}
        firstStep={firstStep(
          storeRequest('blocklist', 'create', { type: 'email', value: '*@example.com' }),
          isAllowed ? { to: `/blocklist#${NEW_HASH}`, label: blocklist.add } : undefined,
        )}
        read={async ({ api }, query) => {
          const page = await api.blocklist.list(query as unknown as BlocklistListQuery)
          return { rows: page.blocklist_entries, ...page.pagination }
        }}
        {...(isAllowed && { rowActions: (entry: BlocklistEntry) => <Actions entry={entry} /> })}
      />
      <div className="halves">
        <BlocklistTest />
        <BlockedOrders />
      </div>
    </Frame>
  )
}

/** The pattern of all email addresses of a domain. */
const patternOf = (domain: string) => `*@${domain.replace(/^\*?@/, '')}`

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
        options: [EMAIL_TYPE, DOMAIN_TYPE, IP_TYPE],
      },
      { name: 'value', label: blocklist.value, required: true, help: blocklist.addHelp },
      { name: 'reason', label: common.reason },
    ]}
    submit={blocklist.add}
    request={({ type, value, reason }) =>
      storeRequest('blocklist', 'create', {
        type: type === 'ip' ? 'ip' : 'email',
        value: type === 'domain' ? patternOf(String(value ?? '')) : String(value ?? ''),
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

const Edit = ({ entry }: { entry: BlocklistEntry }) => (
  <EditAction
    label={common.edit}
    title={blocklist.edit}
    record={entry}
    read={async ({ api }) => (await api.blocklist.get(entry.id)).blocklist_entry}
    fields={({ value, reason }) => [
      { name: 'value', label: blocklist.value, required: true, value, help: blocklist.help },
      { name: 'reason', label: common.reason, value: reason },
    ]}
    request={(changed) => storeRequest('blocklist', 'update', entry.id, clearedAsNull(changed))}
  />
)

const Remove = ({ entry: { id, type, value, reason, hits } }: { entry: BlocklistEntry }) => (
  <Action
    label={blocklist.remove}
    isDanger
    lead={<p>{fill(blocklist.removeLead, { value, hits: formatNumber(hits) })}</p>}
    submit={blocklist.remove}
    request={() => storeRequest('blocklist', 'delete', id)}
    undo={() => ({
      text: fill(common.removed, { name: value }),
      request: storeRequest('blocklist', 'create', {
        type,
        value,
        ...(reason !== null && { reason }),
      }),
    })}
  />
)
