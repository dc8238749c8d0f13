import { securityRequest } from '../../api/action.ts'
import type { ClientApp, LicensePolicy } from '../../api/security.ts'
import { TradepostError, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Facts } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appField, appNameOf, useApps } from './app-options.ts'
import {
  DAY_S,
  durationFields,
  prefixField,
  resetsField,
  termFields,
  termsOf,
} from './license-key-parts.ts'

const NOT_FOUND = 404

/** The terms of the license keys that sales of a variant create. */
export function LicensePolicyOf({ variantId }: { variantId: number }) {
  const isAllowed = useMayWrite('client_security')
  const all = useApps()
  const read = useRead(['licensePolicies', variantId], async ({ security }) => {
    try {
      return (await security.licensePolicies.get(variantId)).license_policy
    } catch (error) {
      if (error instanceof TradepostError && error.status === NOT_FOUND) return null
      throw error
    }
  })
  return (
    <Loaded read={read} rows={2}>
      {(policy) => (
        <>
          {policy ? <Terms of={policy} apps={all} /> : <p>{licenseKeys.noPolicy}</p>}
          {isAllowed && all.length > 0 && (
            <Action
              // The fields begin with the saved policy.
              key={policy?.updated_at ?? ''}
              label={licenseKeys.policy}
              lead={<p>{licenseKeys.policyLead}</p>}
              fields={fieldsOf(policy, all)}
              submit={common.save}
              request={(values) =>
                securityRequest('licensePolicies', 'set', variantId, termsOf(values))
              }
            />
          )}
        </>
      )}
    </Loaded>
  )
}

const limitText = (limit: number | null) =>
  limit === null ? licenseKeys.noLimit : formatNumber(limit)

const Terms = ({ of, apps: all }: { of: LicensePolicy; apps: readonly ClientApp[] }) => (
  <Facts
    of={[
      [apps.app, appNameOf(all, of.app_id)],
      [licenseKeys.prefix, of.prefix],
      [licenseKeys.level, formatNumber(of.level)],
      [
        licenseKeys.days,
        of.duration_seconds === null
          ? licenseKeys.never
          : formatNumber(of.duration_seconds / DAY_S),
      ],
      [licenseKeys.maxDevices, limitText(of.max_devices)],
      [licenseKeys.maxSessions, limitText(of.max_sessions)],
      [licenseKeys.changes, limitText(of.max_device_changes)],
      [licenseKeys.entitlements, of.entitlements.join(', ') || common.none],
    ]}
  />
)

const fieldsOf = (of: LicensePolicy | null, apps: readonly ClientApp[]): readonly Field[] => {
  const policy = of ?? undefined
  return [
    appField(apps, policy?.app_id),
    prefixField(policy),
    ...durationFields(policy),
    ...termFields(policy),
    resetsField(policy),
  ]
}
