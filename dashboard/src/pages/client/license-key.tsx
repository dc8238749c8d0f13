import { securityRequest } from '../../api/action.ts'
import type { LicenseKey } from '../../api/security.ts'
import { EditAction } from '../../kit/conflict.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Copy, Facts, Raw, Section, Time } from '../../kit/show.tsx'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appNameOf, useApps } from './app-options.ts'
import { LicenseKeyTab } from './license-key-frame.tsx'
import { devicesOf, keyFields, keyPatchOf } from './license-key-parts.ts'
import { Expiry } from './license-keys.tsx'

export const Page = () => (
  <LicenseKeyTab>
    {({ of, isAllowed }) => (
      <div className="split">
        <div>
          <Validity of={of} />
          <Section title={licenseKeys.metadata}>
            {Object.keys(of.metadata).length === 0 ? (
              <p className="quiet">{licenseKeys.noMetadata}</p>
            ) : (
              <Copy
                block
                text={JSON.stringify(of.metadata, null, 2)}
                label={licenseKeys.metadata}
              />
            )}
          </Section>
          <Raw record={of} />
        </div>
        <div>
          <Terms of={of} isAllowed={isAllowed} />
        </div>
      </div>
    )}
  </LicenseKeyTab>
)

function Validity({ of }: { of: LicenseKey }) {
  const all = useApps()
  return (
    <Section title={licenseKeys.validity}>
      <Facts
        of={[
          [licenseKeys.key, <Copy key="key" text={of.key} label={licenseKeys.key} />],
          [licenseKeys.expires, <Expiry key="expires" of={of} />],
          [licenseKeys.devices, devicesOf(of)],
          [
            licenseKeys.lastSeen,
            of.last_validated_at === null ? (
              common.never
            ) : (
              <Time key="seen" at={of.last_validated_at} ago />
            ),
          ],
          ...bansOf(of),
          [
            apps.app,
            <Link key="app" to={`/apps/${of.app_id}`}>
              {appNameOf(all, of.app_id)}
            </Link>,
          ],
          ...salesOf(of),
          [licenseKeys.firstUsed, <Time key="first" at={of.first_activated_at} />],
          [licenseKeys.lastReset, of.last_reset_at && <Time key="reset" at={of.last_reset_at} />],
          [common.created, <Time key="created" at={of.created_at} />],
        ]}
      />
    </Section>
  )
}

const bansOf = (of: LicenseKey) =>
  [
    [licenseKeys.banned, of.banned_at ? <Time key="banned" at={of.banned_at} /> : undefined],
    [licenseKeys.banReason, of.ban_reason ?? undefined],
    [licenseKeys.publicReason, of.public_ban_reason ?? undefined],
    [
      licenseKeys.banUntil,
      of.ban_expires_at ? <Time key="until" at={of.ban_expires_at} /> : undefined,
    ],
    [
      licenseKeys.suspended,
      of.suspended_at ? <Time key="suspended" at={of.suspended_at} /> : undefined,
    ],
    [common.reason, of.suspend_reason ?? undefined],
  ] as const

const linkTo = (path: string, id: string | number | null) =>
  id === null ? undefined : <Link to={`${path}/${id}`}>{String(id)}</Link>

const salesOf = (of: LicenseKey) =>
  [
    [licenseKeys.holder, of.customer_email ?? undefined],
    [licenseKeys.order, linkTo('/orders', of.invoice_id)],
    [licenseKeys.product, linkTo('/products', of.product_id)],
    [licenseKeys.subscription, linkTo('/subscriptions', of.subscription_id)],
  ] as const

const limitText = (limit: number | null) =>
  limit === null ? licenseKeys.noLimit : formatNumber(limit)

const Terms = ({ of, isAllowed }: { of: LicenseKey; isAllowed: boolean }) => (
  <Section
    title={licenseKeys.terms}
    actions={
      isAllowed && (
        <EditAction
          label={common.edit}
          title={licenseKeys.terms}
          of={of}
          read={async ({ security }) => (await security.licenseKeys.get(of.id)).key}
          fields={keyFields}
          request={(changed) =>
            securityRequest('licenseKeys', 'update', of.id, keyPatchOf(changed))
          }
        />
      )
    }
  >
    <Facts
      of={[
        [licenseKeys.level, formatNumber(of.level)],
        [licenseKeys.entitlements, of.entitlements.join(', ') || common.none],
        [licenseKeys.maxDevices, limitText(of.max_devices)],
        [licenseKeys.maxSessions, limitText(of.max_sessions)],
        [licenseKeys.resetsLeft, limitText(of.device_resets_left)],
        [licenseKeys.changes, limitText(of.max_device_changes)],
        [common.note, of.note],
      ]}
    />
  </Section>
)
