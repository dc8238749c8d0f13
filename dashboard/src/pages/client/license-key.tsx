import { securityRequest } from '../../api/action.ts'
import { EditAction } from '../../kit/edit-action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { RecordLink } from '../../kit/record-link.tsx'
import { Copy, Facts, Raw, Section, Time } from '../../kit/show.tsx'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appNameOf, useApps } from './app-options.ts'
import { Expiry } from './license-key-expiry.tsx'
import { LicenseKeyTab } from './license-key-frame.tsx'
import {
  devicesText,
  hasText,
  keyFields,
  keyPatchOf,
  limitText,
  previewOf,
  type ShownKey,
} from './license-key-parts.ts'

export const Page = () => (
  <LicenseKeyTab>
    {({ licenseKey }) => (
      <div className="split">
        <div>
          <Validity licenseKey={licenseKey} />
          <Section title={licenseKeys.metadata}>
            {Object.keys(licenseKey.metadata).length === 0 ? (
              <p className="secondary-text">{licenseKeys.noMetadata}</p>
            ) : (
              <Copy
                block
                text={JSON.stringify(licenseKey.metadata, null, 2)}
                label={licenseKeys.metadata}
              />
            )}
          </Section>
          <Raw record={licenseKey} />
        </div>
        <div>
          <Terms licenseKey={licenseKey} />
        </div>
      </div>
    )}
  </LicenseKeyTab>
)

export function Validity({ licenseKey }: { licenseKey: ShownKey }) {
  const appList = useApps()
  return (
    <Section title={licenseKeys.validity}>
      <Facts
        rows={[
          [
            licenseKeys.key,
            hasText(licenseKey) ? (
              <Copy key="key" text={licenseKey.key} label={licenseKeys.key} />
            ) : (
              <code key="key">{previewOf(licenseKey)}</code>
            ),
          ],
          [licenseKeys.expires, <Expiry key="expires" licenseKey={licenseKey} />],
          [licenseKeys.devices, devicesText(licenseKey)],
          [
            licenseKeys.lastSeen,
            licenseKey.last_validated_at === null ? (
              common.never
            ) : (
              <Time key="seen" at={licenseKey.last_validated_at} ago />
            ),
          ],
          ...bansOf(licenseKey),
          [
            apps.app,
            <Link key="app" to={`/apps/${licenseKey.app_id}`}>
              {appNameOf(appList, licenseKey.app_id)}
            </Link>,
          ],
          ...salesOf(licenseKey),
          [licenseKeys.firstUsed, <Time key="first" at={licenseKey.first_activated_at} />],
          [
            licenseKeys.lastReset,
            licenseKey.last_reset_at && <Time key="reset" at={licenseKey.last_reset_at} />,
          ],
          [common.created, <Time key="created" at={licenseKey.created_at} />],
        ]}
      />
    </Section>
  )
}

const bansOf = (licenseKey: ShownKey) =>
  [
    [
      licenseKeys.banned,
      licenseKey.banned_at ? <Time key="banned" at={licenseKey.banned_at} /> : undefined,
    ],
    [licenseKeys.banReason, licenseKey.ban_reason ?? undefined],
    [licenseKeys.publicReason, licenseKey.public_ban_reason ?? undefined],
    [
      licenseKeys.banUntil,
      licenseKey.ban_expires_at ? <Time key="until" at={licenseKey.ban_expires_at} /> : undefined,
    ],
    [
      licenseKeys.suspended,
      licenseKey.suspended_at ? <Time key="suspended" at={licenseKey.suspended_at} /> : undefined,
    ],
    [common.reason, licenseKey.suspend_reason ?? undefined],
  ] as const

const linkTo = (object: string, id: string | number | null) =>
  id === null ? undefined : <RecordLink key={object} object={object} id={id} />

const salesOf = (licenseKey: ShownKey) =>
  [
    [licenseKeys.holder, licenseKey.customer_email ?? undefined],
    [licenseKeys.order, linkTo('order', licenseKey.invoice_id)],
    [licenseKeys.product, linkTo('product', licenseKey.product_id)],
    [licenseKeys.subscription, linkTo('subscription', licenseKey.subscription_id)],
  ] as const

export const Terms = ({ licenseKey }: { licenseKey: ShownKey }) => (
  <Section
    title={licenseKeys.terms}
    actions={
      hasText(licenseKey) && (
        <EditAction
          label={common.edit}
          title={licenseKeys.terms}
          record={licenseKey}
          read={async ({ security }) => (await security.licenseKeys.get(licenseKey.id)).key}
          fields={keyFields}
          request={(changed) =>
            securityRequest('licenseKeys', 'update', licenseKey.id, keyPatchOf(changed))
          }
        />
      )
    }
  >
    <Facts
      rows={[
        [licenseKeys.level, formatNumber(licenseKey.level)],
        [licenseKeys.entitlements, licenseKey.entitlements.join(', ') || common.none],
        [licenseKeys.maxDevices, limitText(licenseKey.max_devices)],
        [licenseKeys.maxSessions, limitText(licenseKey.max_sessions)],
        [licenseKeys.resetsLeft, limitText(licenseKey.device_resets_left)],
        [licenseKeys.changes, limitText(licenseKey.max_device_changes)],
        [common.note, licenseKey.note],
      ]}
    />
  </Section>
)
