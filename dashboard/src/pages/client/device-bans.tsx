import { securityRequest } from '../../api/action.ts'
import type { ClientApp, DeviceBan, DeviceBansListQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { deviceBans } from '../../text/device-bans.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appField, appFilter, appNameOf, useApps } from './app-options.ts'

/** The beginning of a hash is enough to tell devices apart. */
const HASH_SHOWN = 12

const bannedOf = ({ ip_cidr, fingerprint_hash }: DeviceBan): string =>
  ip_cidr ?? fill(deviceBans.device, { hash: (fingerprint_hash ?? '').slice(0, HASH_SHOWN) })

const columnsOf = (all: readonly ClientApp[]): readonly Column<DeviceBan>[] => {
  const appOf = ({ app_id }: DeviceBan) => appNameOf(all, app_id)
  return [
    { label: deviceBans.banned, show: bannedOf, text: bannedOf },
    { label: apps.app, show: appOf, text: appOf },
    { label: common.reason, show: ({ reason }) => reason, text: ({ reason }) => reason },
    {
      label: deviceBans.until,
      show: ({ expires_at }) => (expires_at === null ? deviceBans.noEnd : <Time at={expires_at} />),
      text: ({ expires_at }) => expires_at,
    },
    {
      label: deviceBans.withKey,
      show: ({ key_id }) =>
        key_id === null ? '–' : <Link to={`/license-keys/${key_id}`}>{String(key_id)}</Link>,
      text: ({ key_id }) => key_id,
    },
    {
      label: common.created,
      show: ({ created_at }) => <Time at={created_at} ago />,
      text: ({ created_at }) => created_at,
    },
  ]
}

export function Page() {
  const isAllowed = useMayWrite('client_security')
  const all = useApps()
  return (
    <Frame
      title={deviceBans.title}
      actions={
        isAllowed ? (
          all.length > 0 && <Add all={all} />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <List
        name={['deviceBans']}
        label={deviceBans.title}
        columns={columnsOf(all)}
        keyOf={({ id }) => id}
        filters={appFilter(all)}
        empty={deviceBans.empty}
        read={async ({ security }, query) => {
          const page = await security.deviceBans.list(query as unknown as DeviceBansListQuery)
          return { rows: page.device_bans, ...page.pagination }
        }}
        {...(isAllowed && { rowActions: (ban: DeviceBan) => <Lift of={ban} /> })}
      />
    </Frame>
  )
}

const Add = ({ all }: { all: readonly ClientApp[] }) => (
  <Action
    label={deviceBans.add}
    lead={<p>{deviceBans.addLead}</p>}
    fields={[
      appField(all),
      {
        name: 'ip_cidr',
        label: deviceBans.addresses,
        required: true,
        help: deviceBans.addressesHelp,
      },
      { name: 'reason', label: licenseKeys.banReason, required: true },
      {
        name: 'until',
        label: licenseKeys.banUntil,
        type: 'date',
        help: licenseKeys.banUntilHelp,
      },
    ]}
    submit={deviceBans.add}
    request={({ app_id, ip_cidr, reason, until }) =>
      securityRequest('deviceBans', 'create', {
        app_id: Number(app_id),
        ip_cidr: String(ip_cidr ?? ''),
        reason: String(reason ?? ''),
        // The day is the last of the ban.
        ...(until !== undefined && { expires_at: momentOfDay(String(until), 1) }),
      })
    }
  />
)

const Lift = ({ of }: { of: DeviceBan }) => (
  <Action
    label={deviceBans.lift}
    lead={<p>{fill(deviceBans.liftLead, { what: bannedOf(of) })}</p>}
    submit={deviceBans.lift}
    request={() => securityRequest('deviceBans', 'delete', of.id)}
  />
)
