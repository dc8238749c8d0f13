import { securityRequest } from '../../api/action.ts'
import type { AppsListQuery, ClientApp } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { newAppFields, newAppOf } from './app-fields.ts'

const COLUMNS: readonly Column<ClientApp>[] = [
  { label: common.name, show: ({ name }) => name, text: ({ name }) => name },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: apps.publicId,
    show: ({ public_id }) => <code>{public_id}</code>,
    text: ({ public_id }) => public_id,
  },
  {
    label: apps.latestVersion,
    show: ({ latest_version }) => latest_version ?? '–',
    text: ({ latest_version }) => latest_version,
  },
  {
    label: apps.minVersion,
    show: ({ min_version }) => min_version ?? apps.any,
    text: ({ min_version }) => min_version,
  },
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export function Page() {
  const isAllowed = useMayWrite('client_security')
  return (
    <Frame
      title={apps.title}
      actions={
        isAllowed ? (
          <Action
            label={apps.new}
            isPrimary
            fields={newAppFields()}
            submit={apps.new}
            request={(values) => securityRequest('apps', 'create', newAppOf(values))}
            pageOf={(answer) => `/apps/${(answer as { app: ClientApp }).app.id}`}
          />
        ) : (
          <NotAllowed area="client_security" />
        )
      }
    >
      <List
        queryKey={['apps']}
        label={apps.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/apps/${id}`}
        empty={apps.empty}
        firstStep={{
          ...(isAllowed && { link: { to: '/apps#new', label: apps.new } }),
          code: "await management.apps.create({ name: 'Photo editor' })",
        }}
        read={async ({ security }, query) => {
          const page = await security.apps.list(query as unknown as AppsListQuery)
          return { rows: page.apps, ...page.pagination }
        }}
      />
    </Frame>
  )
}
