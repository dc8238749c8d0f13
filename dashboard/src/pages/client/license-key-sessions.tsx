import { securityRequest } from '../../api/action.ts'
import type { ClientSession, LicenseKeysListSessionsQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { LicenseKeyTab } from './license-key-frame.tsx'
import { previewOf, type ShownKey } from './license-key-parts.ts'

const stateOf = ({ ended_at, ended_reason }: ClientSession): string =>
  ended_at === null ? licenseKeys.running : humanize(ended_reason ?? licenseKeys.ended)

const COLUMNS: readonly Column<ClientSession>[] = [
  {
    label: licenseKeys.started,
    show: ({ started_at }) => <Time at={started_at} />,
    text: ({ started_at }) => started_at,
  },
  {
    label: common.status,
    show: (session) => (
      <State state={session.ended_at === null ? 'active' : 'ended'}>{stateOf(session)}</State>
    ),
    text: stateOf,
  },
  {
    label: licenseKeys.version,
    show: ({ app_version }) => app_version ?? '–',
    text: ({ app_version }) => app_version,
  },
  {
    label: licenseKeys.device,
    show: ({ device_id }) => device_id ?? '–',
    text: ({ device_id }) => device_id,
  },
  {
    label: licenseKeys.heartbeat,
    show: ({ last_heartbeat_at }) => <Time at={last_heartbeat_at} ago />,
    text: ({ last_heartbeat_at }) => last_heartbeat_at,
  },
  {
    label: licenseKeys.ended,
    show: ({ ended_at }) => <Time at={ended_at} />,
    text: ({ ended_at }) => ended_at,
  },
]

export const Page = () => (
  <LicenseKeyTab>
    {({ licenseKey, isAllowed }) => (
      <>
        {isAllowed && <EndAllSessions licenseKey={licenseKey} />}
        <List
          queryKey={['licenseKeys', String(licenseKey.id), 'sessions']}
          label={licenseKeys.sessions}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={licenseKeys.noSessions}
          read={async ({ security }, query) => {
            const page = await security.licenseKeys.listSessions(
              licenseKey.id,
              query as unknown as LicenseKeysListSessionsQuery,
            )
            return { rows: page.sessions, next_cursor: page.next_cursor }
          }}
        />
      </>
    )}
  </LicenseKeyTab>
)

const EndAllSessions = ({ licenseKey }: { licenseKey: ShownKey }) => (
  <div className="actions">
    <Action
      label={licenseKeys.endSessions}
      isDanger
      lead={<p>{fill(licenseKeys.endSessionsLead, { key: previewOf(licenseKey) })}</p>}
      submit={licenseKeys.endSessions}
      request={() => securityRequest('licenseKeys', 'endSessions', licenseKey.id)}
    />
  </div>
)
