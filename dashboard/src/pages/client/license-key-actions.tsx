import { securityRequest } from '../../api/action.ts'
import type { LicenseKey } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import type { Typed } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { DAY_S, previewOf } from './license-key-parts.ts'

const EXTEND_DAYS = 30

interface Props {
  of: LicenseKey
}

const textsOf = (key: LicenseKey) => ({
  key: previewOf(key),
  n: formatNumber(key.devices_count),
})

export const LicenseKeyActions = ({ of }: Props) => (
  <>
    {of.status === 'banned' ? <Unban of={of} /> : <Ban of={of} />}
    <Extend of={of} />
    {of.devices_count > 0 && <Reset of={of} />}
    {of.suspended_at === null ? <Suspend of={of} /> : <Resume of={of} />}
    <Action
      label={licenseKeys.rotate}
      lead={<p>{licenseKeys.rotateLead}</p>}
      submit={licenseKeys.rotate}
      request={() => securityRequest('licenseKeys', 'rotate', of.id)}
    />
    <Remove of={of} />
  </>
)

const banOf = ({ reason, public_reason, until, ban_devices }: Typed) => ({
  reason: String(reason ?? ''),
  ...(public_reason !== undefined && { public_reason: String(public_reason) }),
  // The day is the last of the ban.
  ...(until !== undefined && { expires_at: momentOfDay(String(until), 1) }),
  ...(ban_devices === true && { ban_devices }),
})

const Ban = ({ of }: Props) => (
  <Action
    label={licenseKeys.ban}
    title={licenseKeys.banTitle}
    isDanger
    lead={<p>{fill(licenseKeys.banLead, textsOf(of))}</p>}
    fields={[
      { name: 'reason', label: licenseKeys.banReason, required: true },
      { name: 'public_reason', label: licenseKeys.publicReason },
      {
        name: 'until',
        label: licenseKeys.banUntil,
        type: 'date',
        help: licenseKeys.banUntilHelp,
      },
      { name: 'ban_devices', label: licenseKeys.banDevices, type: 'checkbox' },
    ]}
    submit={licenseKeys.banTitle}
    request={(values) => securityRequest('licenseKeys', 'ban', of.id, banOf(values))}
  />
)

const Unban = ({ of }: Props) => (
  <Action
    label={licenseKeys.unban}
    isPrimary
    lead={<p>{fill(licenseKeys.unbanLead, textsOf(of))}</p>}
    submit={licenseKeys.unban}
    request={() => securityRequest('licenseKeys', 'unban', of.id)}
  />
)

const Extend = ({ of }: Props) => (
  <Action
    label={licenseKeys.extend}
    lead={<p>{fill(licenseKeys.extendLead, textsOf(of))}</p>}
    fields={[
      {
        name: 'days',
        label: licenseKeys.extendDays,
        type: 'number',
        required: true,
        value: EXTEND_DAYS,
      },
      {
        name: 'from',
        label: licenseKeys.extendFrom,
        type: 'select',
        required: true,
        value: 'now_if_expired',
        options: [
          { value: 'now_if_expired', label: licenseKeys.fromNow },
          { value: 'end', label: licenseKeys.fromEnd },
        ],
      },
    ]}
    submit={licenseKeys.extend}
    request={({ days, from }) =>
      securityRequest('licenseKeys', 'extend', of.id, {
        seconds: Number(days) * DAY_S,
        from: from === 'end' ? 'end' : 'now_if_expired',
      })
    }
  />
)

const Reset = ({ of }: Props) => (
  <Action
    label={licenseKeys.reset}
    isDanger
    lead={<p>{fill(licenseKeys.resetLead, textsOf(of))}</p>}
    fields={[{ name: 'force', label: licenseKeys.force, type: 'checkbox' }]}
    submit={licenseKeys.reset}
    request={({ force }) =>
      securityRequest('licenseKeys', 'resetDevices', of.id, { force: force === true })
    }
  />
)

const Suspend = ({ of }: Props) => (
  <Action
    label={licenseKeys.suspend}
    isDanger
    lead={<p>{fill(licenseKeys.suspendLead, textsOf(of))}</p>}
    fields={[{ name: 'suspend_reason', label: common.reason }]}
    submit={licenseKeys.suspend}
    request={({ suspend_reason }) =>
      securityRequest('licenseKeys', 'update', of.id, {
        suspended: true,
        ...(suspend_reason !== undefined && { suspend_reason: String(suspend_reason) }),
      })
    }
  />
)

const Resume = ({ of }: Props) => (
  <Action
    label={licenseKeys.resume}
    lead={<p>{fill(licenseKeys.resumeLead, textsOf(of))}</p>}
    submit={licenseKeys.resume}
    request={() => securityRequest('licenseKeys', 'update', of.id, { suspended: false })}
  />
)

function Remove({ of }: Props) {
  const leaving = useLeaving()
  return (
    <Action
      label={common.delete}
      title={licenseKeys.remove}
      isDanger
      confirmName={of.key_preview}
      lead={<p>{fill(licenseKeys.removeLead, textsOf(of))}</p>}
      submit={licenseKeys.remove}
      request={() => leaving(securityRequest('licenseKeys', 'delete', of.id), '/license-keys')}
    />
  )
}
