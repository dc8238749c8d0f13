import { securityRequest } from '../../api/action.ts'
import type { ClientApp, DeviceBan, DeviceBansListQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { BAN_REASON_MAX } from '../../kit/text-limits.ts'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { deviceBans } from '../../text/device-bans.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appField, appFilter, appNameOf, useApps } from './app-options.ts'

/** The shown part of a hash, long enough to tell devices apart. */
const SHOWN_HASH_LENGTH = 12

const bannedText = ({ ip_cidr, fingerprint_hash }: DeviceBan): string =>
  ip_cidr ?? fill(deviceBans.device, { hash: (fingerprint_hash ?? '').slice(0, SHOWN_HASH_LENGTH) })

const columnsOf = (appList: readonly ClientApp[]): readonly Column<DeviceBan>[] => {
  const appOf = ({ app_id }: DeviceBan) => appNameOf(appList, app_id)
  return [
    { label: deviceBans.banned, show: bannedText, text: bannedText },
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
  const appList = useApps()
  return (
    <Frame
      title={deviceBans.title}
      actions={
        isAllowed ? (
          appList.length > 0 && <Add appList={appList} />
        ) : (
          <NotAllowed area="client_security" />
        )
      }
    >
      <List
        queryKey={['deviceBans']}
        label={deviceBans.title}
        columns={columnsOf(appList)}
        keyOf={({ id }) => id}
        filters={appFilter(appList)}
        empty={deviceBans.empty}
        firstStep={{
          ...(isAllowed &&
            appList.length > 0 && { link: { to: '/device-bans#new', label: deviceBans.add } }),
          code: "await management.deviceBans.create({ app_id: 1, ip_cidr: '203.0.113.7', reason: 'Fraud' })",
        }}
        read={async ({ security }, query) => {
          const page = await security.deviceBans.list(query as unknown as DeviceBansListQuery)
          return { rows: page.device_bans, ...page.pagination }
        }}
        {...(isAllowed && { rowActions: (ban: DeviceBan) => <LiftBan ban={ban} /> })}
      />
    </Frame>
  )
}

const Add = ({ appList }: { appList: readonly ClientApp[] }) => (
  <Action
    label={deviceBans.add}
    isPrimary
    lead={<p>{deviceBans.addLead}</p>}
    fields={[
      appField(appList),
      {
        name: 'ip_cidr',
        label: deviceBans.addresses,
        required: true,
        help: deviceBans.addressesHelp,
      },
      { name: 'reason', label: licenseKeys.banReason, required: true, maxLength: BAN_REASON_MAX },
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
        // The chosen day is the last day of the ban.
        ...(until !== undefined && { expires_at: momentOfDay(String(until), 1) }),
      })
    }
  />
)

/** A ban of addresses can be made again. A ban of a device cannot, because its fingerprint is not known. */
const undoOf = ({ app_id, reason, expires_at }: DeviceBan, ip_cidr: string) => ({
  text: fill(deviceBans.lifted, { what: ip_cidr }),
  request: securityRequest('deviceBans', 'create', {
    app_id,
    ip_cidr,
    reason,
    ...(expires_at !== null && { expires_at }),
  }),
})

const LiftBan = ({ ban }: { ban: DeviceBan }) => (
  <Action
    label={deviceBans.lift}
    lead={<p>{fill(deviceBans.liftLead, { what: bannedText(ban) })}</p>}
    submit={deviceBans.lift}
    request={() => securityRequest('deviceBans', 'delete', ban.id)}
    {...(ban.ip_cidr !== null && { undo: () => undoOf(ban, ban.ip_cidr ?? '') })}
  />
)
