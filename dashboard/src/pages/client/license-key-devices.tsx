import { securityRequest } from '../../api/action.ts'
import type { Device, LicenseKeysListDevicesQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { downloadFile } from '../../kit/csv.ts'
import { formatDuration, humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { BAN_REASON_MAX } from '../../kit/text-limits.ts'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { LicenseKeyTab } from './license-key-frame.tsx'
import { DAY_S, type ShownKey } from './license-key-parts.ts'

/** The number of shown characters of a fingerprint hash, which is the label of a device without a name. */
const HASH_LENGTH_SHOWN = 12

/** The offered validities of a license file, in days. The API takes at most 30. */
const FILE_DAYS = [1, 7, 14, 30]

const nameOf = ({ name, fingerprint_hash }: Device): string =>
  name ?? fingerprint_hash.slice(0, HASH_LENGTH_SHOWN)

const COLUMNS: readonly Column<Device>[] = [
  { label: licenseKeys.device, show: nameOf, text: nameOf },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: licenseKeys.platform,
    show: ({ platform }) => platform ?? '–',
    text: ({ platform }) => platform,
  },
  {
    label: licenseKeys.ownKey,
    show: ({ public_key_thumbprint }) => yesNo(public_key_thumbprint !== null),
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
    {({ licenseKey, isAllowed }) => (
      <List
        queryKey={['licenseKeys', String(licenseKey.id), 'devices']}
        label={licenseKeys.devices}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={licenseKeys.noDevices}
        read={async ({ security }, query) => {
          const page = await security.licenseKeys.listDevices(
            licenseKey.id,
            query as unknown as LicenseKeysListDevicesQuery,
          )
          return { rows: page.devices, next_cursor: page.next_cursor }
        }}
        {...(isAllowed && {
          rowActions: (device: Device) => <DeviceActions licenseKey={licenseKey} device={device} />,
        })}
      />
    )}
  </LicenseKeyTab>
)

/** Saves a license file, with which a program runs on the device without a connection. */
const IssueFile = ({ licenseKey, device }: { licenseKey: ShownKey; device: Device }) => (
  <Action
    label={licenseKeys.file}
    lead={<p>{fill(licenseKeys.fileLead, { device: nameOf(device) })}</p>}
    fields={[
      // A file for a device without a key of its own contains the hash of the fingerprint.
      ...(device.public_key_thumbprint === null
        ? [
            {
              name: 'fingerprint',
              label: licenseKeys.fingerprint,
              required: true,
              help: licenseKeys.fingerprintHelp,
            },
          ]
        : []),
      {
        name: 'days',
        label: licenseKeys.fileDays,
        type: 'select',
        required: true,
        value: '7',
        options: FILE_DAYS.map((days) => ({
          value: String(days),
          label: formatDuration(days * DAY_S * 1_000),
        })),
      },
    ]}
    submit={licenseKeys.file}
    request={({ days, fingerprint }) =>
      securityRequest('licenseKeys', 'issueFile', licenseKey.id, {
        ...(fingerprint === undefined
          ? { device_id: device.id }
          : { fingerprint: String(fingerprint) }),
        ttl_seconds: Number(days) * DAY_S,
      })
    }
    onDone={(answer) => {
      const { license_file } = answer as { license_file: string }
      downloadFile(`license-${licenseKey.key_preview}.lic`, new Blob([license_file]))
    }}
  />
)

const DeviceActions = ({ licenseKey, device }: { licenseKey: ShownKey; device: Device }) => (
  <>
    <Action
      label={licenseKeys.free}
      isDanger
      lead={<p>{fill(licenseKeys.freeLead, { device: nameOf(device) })}</p>}
      submit={licenseKeys.free}
      request={() => securityRequest('licenseKeys', 'freeDevice', licenseKey.id, device.id)}
    />
    {device.status === 'active' && <IssueFile licenseKey={licenseKey} device={device} />}
    {device.status === 'active' && (
      <Action
        label={licenseKeys.banDevice}
        isDanger
        lead={<p>{fill(licenseKeys.banDeviceLead, { device: nameOf(device) })}</p>}
        fields={[
          {
            name: 'reason',
            label: licenseKeys.banReason,
            required: true,
            maxLength: BAN_REASON_MAX,
          },
        ]}
        submit={licenseKeys.banDevice}
        done={licenseKeys.deviceBanned}
        request={({ reason }) => ({
          ...securityRequest('deviceBans', 'create', {
            app_id: licenseKey.app_id,
            device_id: device.id,
            reason: String(reason ?? ''),
          }),
          area: 'licenseKeys',
        })}
      />
    )}
  </>
)
