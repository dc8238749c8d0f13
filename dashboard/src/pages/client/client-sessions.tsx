import { securityRequest } from '../../api/action.ts'
import type { ListedClientSession } from '../../api/dashboard.ts'
import type { ClientApp } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { clientSessions } from '../../text/client-sessions.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appFilter, appNameOf, useApps } from './app-options.ts'

const STATES = ['live', 'ended'] as const

function stateText({ live, ended_at, ended_reason }: ListedClientSession): string {
  if (live) return clientSessions.live
  return ended_at === null ? clientSessions.lapsed : humanize(ended_reason ?? clientSessions.ended)
}

const deviceText = ({ device_id, device_name, device_platform }: ListedClientSession): string =>
  device_id === null
    ? '–'
    : [device_name ?? `#${device_id}`, device_platform].filter(Boolean).join(' · ')

const LicenseLink = ({ session: { key_id, key_preview } }: { session: ListedClientSession }) =>
  key_id === null ? (
    <span className="secondary-text">{clientSessions.noLicense}</span>
  ) : (
    <Link to={`/license-keys/${key_id}`}>
      <code>…{key_preview}</code>
    </Link>
  )

const columnsOf = (appList: readonly ClientApp[]): readonly Column<ListedClientSession>[] => [
  {
    label: clientSessions.license,
    show: (session) => <LicenseLink session={session} />,
    text: ({ key_preview }) => key_preview,
  },
  {
    label: common.status,
    show: (session) => <State state={session.live ? 'live' : 'ended'}>{stateText(session)}</State>,
    text: stateText,
  },
  {
    label: apps.app,
    show: ({ app_id }) => appNameOf(appList, app_id),
    text: ({ app_id }) => appNameOf(appList, app_id),
  },
  { label: licenseKeys.device, show: deviceText, text: deviceText },
  {
    label: licenseKeys.version,
    show: ({ app_version }) => app_version ?? '–',
    text: ({ app_version }) => app_version,
  },
  {
    label: licenseKeys.heartbeat,
    show: ({ last_heartbeat_at }) => <Time at={last_heartbeat_at} ago />,
    text: ({ last_heartbeat_at }) => last_heartbeat_at,
  },
  {
    label: licenseKeys.started,
    show: ({ started_at }) => <Time at={started_at} />,
    text: ({ started_at }) => started_at,
  },
]

/** Returns the query with the id of the license key instead of its text; undefined if there is no such license. */
async function queryWithKeyId({ security }: StoreContext, query: Record<string, string | number>) {
  const { key, ...rest } = query
  if (key === undefined) return rest
  const { keys } = await security.licenseKeys.list({ key: String(key), limit: 1 })
  return keys[0] && { ...rest, key_id: keys[0].id }
}

export function Page() {
  const isAllowed = useMayWrite('client_security')
  const appList = useApps()
  return (
    <Frame
      title={clientSessions.title}
      lead={clientSessions.lead}
      actions={!isAllowed && <NotAllowed area="client_security" />}
    >
      <List
        queryKey={['licenseKeys', 'all sessions']}
        label={clientSessions.title}
        columns={columnsOf(appList)}
        keyOf={({ id }) => id}
        views={STATES.map((state) => ({ label: clientSessions[state], query: { state } }))}
        filters={[
          { name: 'key', label: licenseKeys.wholeKey },
          {
            name: 'state',
            label: common.status,
            options: STATES.map((value) => ({ value, label: clientSessions[value] })),
          },
          { name: 'device_id', label: clientSessions.deviceId },
          // The last, because it appears when the apps are read.
          ...appFilter(appList),
        ]}
        empty={clientSessions.empty}
        firstStep={{
          link: { to: '/rehearsal', label: clientSessions.toRehearsal },
          code: "const { code } = await program.start(licenseKey, { app_version: '1.0' })",
        }}
        {...(isAllowed && {
          rowActions: (session: ListedClientSession) => <EndSession session={session} />,
        })}
        read={async (store, filters) => {
          const query = await queryWithKeyId(store, filters)
          if (!query) return { rows: [] }
          const page = await store.readDashboard<'client_sessions.list'>('/client-sessions', query)
          return { rows: page.sessions, next_cursor: page.next_cursor }
        }}
      />
    </Frame>
  )
}

/** Ends all sessions of a license at once. */
function EndSession({ session: { live, key_id, key_preview } }: { session: ListedClientSession }) {
  if (!live || key_id === null) return null
  const key = key_preview ?? ''
  return (
    <Action
      label={clientSessions.end}
      title={fill(clientSessions.endSessionsOf, { key })}
      isDanger
      lead={<p>{fill(licenseKeys.endSessionsLead, { key: `…${key}` })}</p>}
      submit={clientSessions.end}
      request={() => securityRequest('licenseKeys', 'endSessions', key_id)}
    />
  )
}
