import { securityRequest } from '../../api/action.ts'
import type { LicenseKey } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import {
  BAN_FIELDS,
  banOf,
  EXTENSION_FIELDS,
  extensionOf,
  hasEnd,
  SUSPENSION_FIELDS,
  suspensionOf,
} from './license-key-changes.ts'
import { previewOf } from './license-key-parts.ts'

interface LicenseKeyProps {
  licenseKey: LicenseKey
}

const leadValuesOf = (key: LicenseKey) => ({
  key: previewOf(key),
  n: formatNumber(key.devices_count),
})

export const LicenseKeyActions = ({ licenseKey }: LicenseKeyProps) => (
  <>
    {licenseKey.status === 'banned' && <Unban licenseKey={licenseKey} />}
    {licenseKey.suspended_at !== null && <Resume licenseKey={licenseKey} />}
    {hasEnd(licenseKey) && <Extend licenseKey={licenseKey} />}
    <Action
      label={licenseKeys.rotate}
      lead={<p>{licenseKeys.rotateLead}</p>}
      submit={licenseKeys.rotate}
      request={() => securityRequest('licenseKeys', 'rotate', licenseKey.id)}
    />
    {licenseKey.devices_count > 0 && <Reset licenseKey={licenseKey} />}
    {licenseKey.suspended_at === null && <Suspend licenseKey={licenseKey} />}
    {licenseKey.status !== 'banned' && <Ban licenseKey={licenseKey} />}
    <Remove licenseKey={licenseKey} />
  </>
)

const Ban = ({ licenseKey }: LicenseKeyProps) => (
  <Action
    label={licenseKeys.ban}
    title={licenseKeys.banTitle}
    isDanger
    lead={<p>{fill(licenseKeys.banLead, leadValuesOf(licenseKey))}</p>}
    fields={BAN_FIELDS}
    submit={licenseKeys.banTitle}
    request={(values) => securityRequest('licenseKeys', 'ban', licenseKey.id, banOf(values))}
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
    fields={EXTENSION_FIELDS}
    submit={licenseKeys.extend}
    request={(values) =>
      securityRequest('licenseKeys', 'extend', licenseKey.id, extensionOf(values))
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
    fields={SUSPENSION_FIELDS}
    submit={licenseKeys.suspend}
    request={(values) =>
      securityRequest('licenseKeys', 'update', licenseKey.id, suspensionOf(values))
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
