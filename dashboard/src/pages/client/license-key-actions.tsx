import { securityRequest } from '../../api/action.ts'
import type { LicenseKey } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import type { FormValues } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { DAY_S, previewOf } from './license-key-parts.ts'

const EXTEND_DAYS = 30

interface LicenseKeyProps {
  licenseKey: LicenseKey
}

const leadValuesOf = (key: LicenseKey) => ({
  key: previewOf(key),
  n: formatNumber(key.devices_count),
})

/** A license without an end cannot be extended. One with a duration begins with its first use. */
const hasEnd = ({ expires_at, duration_seconds }: LicenseKey) =>
  expires_at !== null || duration_seconds !== null

export const LicenseKeyActions = ({ licenseKey }: LicenseKeyProps) => (
  <>
    {licenseKey.status === 'banned' ? (
      <Unban licenseKey={licenseKey} />
    ) : (
      <Ban licenseKey={licenseKey} />
    )}
    {hasEnd(licenseKey) && <Extend licenseKey={licenseKey} />}
    {licenseKey.devices_count > 0 && <Reset licenseKey={licenseKey} />}
    {licenseKey.suspended_at === null ? (
      <Suspend licenseKey={licenseKey} />
    ) : (
      <Resume licenseKey={licenseKey} />
    )}
    <Action
      label={licenseKeys.rotate}
      lead={<p>{licenseKeys.rotateLead}</p>}
      submit={licenseKeys.rotate}
      request={() => securityRequest('licenseKeys', 'rotate', licenseKey.id)}
    />
    <Remove licenseKey={licenseKey} />
  </>
)

const banBodyOf = ({ reason, public_reason, until, ban_devices }: FormValues) => ({
  reason: String(reason ?? ''),
  ...(public_reason !== undefined && { public_reason: String(public_reason) }),
  // The chosen day is the last day of the ban.
  ...(until !== undefined && { expires_at: momentOfDay(String(until), 1) }),
  ...(ban_devices === true && { ban_devices }),
})

const Ban = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.ban}
    title={licenseKeys.banTitle}
    isDanger
    lead={<p>{fill(licenseKeys.banLead, leadValuesOf(licenseKey))}</p>}
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
    request={(values) => securityRequest('licenseKeys', 'ban', licenseKey.id, banBodyOf(values))}
  />
)

const Unban = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.unban}
    isPrimary
    lead={<p>{fill(licenseKeys.unbanLead, leadValuesOf(licenseKey))}</p>}
    submit={licenseKeys.unban}
    request={() => securityRequest('licenseKeys', 'unban', licenseKey.id)}
  />
)

const Extend = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.extend}
    lead={<p>{fill(licenseKeys.extendLead, leadValuesOf(licenseKey))}</p>}
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
      securityRequest('licenseKeys', 'extend', licenseKey.id, {
        seconds: Number(days) * DAY_S,
        from: from === 'end' ? 'end' : 'now_if_expired',
      })
    }
  />
)

const Reset = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.reset}
    isDanger
    lead={<p>{fill(licenseKeys.resetLead, leadValuesOf(licenseKey))}</p>}
    fields={[{ name: 'force', label: licenseKeys.force, type: 'checkbox' }]}
    submit={licenseKeys.reset}
    request={({ force }) =>
      securityRequest('licenseKeys', 'resetDevices', licenseKey.id, { force: force === true })
    }
  />
)

const Suspend = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.suspend}
    isDanger
    lead={<p>{fill(licenseKeys.suspendLead, leadValuesOf(licenseKey))}</p>}
    fields={[{ name: 'suspend_reason', label: common.reason }]}
    submit={licenseKeys.suspend}
    request={({ suspend_reason }) =>
      securityRequest('licenseKeys', 'update', licenseKey.id, {
        suspended: true,
        ...(suspend_reason !== undefined && { suspend_reason: String(suspend_reason) }),
      })
    }
  />
)

const Resume = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.resume}
    lead={<p>{fill(licenseKeys.resumeLead, leadValuesOf(licenseKey))}</p>}
    submit={licenseKeys.resume}
    request={() => securityRequest('licenseKeys', 'update', licenseKey.id, { suspended: false })}
  />
)

function Remove({ licenseKey }: LicenseKeyProps) {
  const openAfter = useOpenAfter()
  return (
    <Action
      label={common.delete}
      title={licenseKeys.remove}
      isDanger
      confirmName={licenseKey.key_preview}
      lead={<p>{fill(licenseKeys.removeLead, leadValuesOf(licenseKey))}</p>}
      submit={licenseKeys.remove}
      request={() =>
        openAfter(securityRequest('licenseKeys', 'delete', licenseKey.id), '/license-keys')
      }
    />
  )
}
