import { securityRequest } from '../../api/action.ts'
import type { Device, LicenseKey, LicenseKeysListDevicesQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { LicenseKeyTab } from './license-key-frame.tsx'

/** The hash identifies a device without a name; its beginning is enough to tell devices apart. */
const HASH_SHOWN = 12

const nameOf = ({ name, fingerprint_hash }: Device): string =>
  name ?? fingerprint_hash.slice(0, HASH_SHOWN)

const COLUMNS: readonly Column<Device>[] = [
  { label: licenseKeys.device, show: nameOf, text: nameOf },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => status,
  },
  {
    label: licenseKeys.platform,
    show: ({ platform }) => platform ?? '–',
    text: ({ platform }) => platform,
  },
  {
    label: licenseKeys.ownKey,
    show: ({ public_key_thumbprint }) => (public_key_thumbprint ? common.yes : common.no),
    text: ({ public_key_thumbprint }) => public_key_thumbprint,
  },
  {
    label: licenseKeys.firstSeen,
    show: ({ first_seen_at }) => <Time at={first_seen_at} />,
    text: ({ first_seen_at }) => first_seen_at,
  },
  {
    label: licenseKeys.seen,
    show: ({ last_seen_at }) => <Time at={last_seen_at} ago />,
    text: ({ last_seen_at }) => last_seen_at,
  },
]

export const Page = () => (
  <LicenseKeyTab>
    {({ of, isAllowed }) => (
      <List
        name={['licenseKeys', String(of.id), 'devices']}
        label={licenseKeys.devices}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={licenseKeys.noDevices}
        read={async ({ security }, query) => {
          const page = await security.licenseKeys.listDevices(
            of.id,
            query as unknown as LicenseKeysListDevicesQuery,
          )
          return { rows: page.devices, next_cursor: page.next_cursor }
        }}
        {...(isAllowed && {
          rowActions: (device: Device) => <DeviceActions of={of} device={device} />,
        })}
      />
    )}
  </LicenseKeyTab>
)

const DeviceActions = ({ of, device }: { of: LicenseKey; device: Device }) => (
  <>
    <Action
      label={licenseKeys.free}
      isDanger
      lead={<p>{fill(licenseKeys.freeLead, { device: nameOf(device) })}</p>}
      submit={licenseKeys.free}
      request={() => securityRequest('licenseKeys', 'freeDevice', of.id, device.id)}
    />
    {device.status === 'active' && (
      <Action
        label={licenseKeys.banDevice}
        isDanger
        lead={<p>{fill(licenseKeys.banDeviceLead, { device: nameOf(device) })}</p>}
        fields={[{ name: 'reason', label: licenseKeys.banReason, required: true }]}
        submit={licenseKeys.banDevice}
        request={({ reason }) => ({
          ...securityRequest('deviceBans', 'create', {
            app_id: of.app_id,
            device_id: device.id,
            reason: String(reason ?? ''),
          }),
          area: 'licenseKeys',
        })}
      />
    )}
  </>
)
