import type { ClientReport, ClientReportsListQuery } from '../../api/security.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { reports } from '../../text/reports.ts'
import { appFilter, useApps } from './app-options.ts'

const ACTIONS: Record<ClientReport['action'], string> = {
  log: reports.log,
  ban_device: reports.banDevice,
  ban_key: reports.banKey,
}

const COLUMNS: readonly Column<ClientReport>[] = [
  { label: reports.kind, show: ({ kind }) => <code>{kind}</code>, text: ({ kind }) => kind },
  { label: reports.detail, show: ({ detail }) => detail, text: ({ detail }) => detail },
  {
    label: reports.action,
    show: ({ action }) => (
      <State state={action} tone={action === 'log' ? 'closed' : 'failed'}>
        {ACTIONS[action]}
      </State>
    ),
    text: ({ action }) => ACTIONS[action],
  },
  {
    label: reports.key,
    show: ({ key_id }) =>
      key_id === null ? (
        reports.publicSession
      ) : (
        <Link to={`/license-keys/${key_id}`}>{`#${key_id}`}</Link>
      ),
    text: ({ key_id }) => key_id,
  },
  {
    label: reports.when,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export function Page() {
  const appList = useApps()
  return (
    <Frame title={reports.title}>
      <List
        queryKey={['clientReports']}
        label={reports.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={[
          ...appFilter(appList),
          { name: 'kind', label: reports.kind },
          { name: 'created_from', label: reports.from, type: 'date' },
          { name: 'created_to', label: reports.to, type: 'date' },
        ]}
        empty={reports.empty}
        firstStep={{
          link: { to: '/apps', label: reports.toRules },
          code: "await program.report('debugger', 'ptrace')",
        }}
        read={async ({ security }, query) => {
          const page = await security.clientReports.list(query as unknown as ClientReportsListQuery)
          return { rows: page.client_reports, next_cursor: page.next_cursor }
        }}
      />
    </Frame>
  )
}
