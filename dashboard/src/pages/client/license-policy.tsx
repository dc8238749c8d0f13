import { securityRequest } from '../../api/action.ts'
import type { ClientApp, LicensePolicy } from '../../api/security.ts'
import { type StoreContext, TradepostError, useRead } from '../../api/store.ts'
import { EditAction, initialValues } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
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
  limitText,
  prefixField,
  resetsField,
  termFields,
  termsOf,
} from './license-key-parts.ts'

/** Returns null if the variant has no policy. */
async function readPolicy({ security }: StoreContext, variantId: number) {
  try {
    return (await security.licensePolicies.get(variantId)).license_policy
  } catch (error) {
    if (error instanceof TradepostError && error.status === 404) return null
    throw error
  }
}

/** The terms of the license keys that sales of a variant create. */
export function LicensePolicyOf({ variantId }: { variantId: number }) {
  const isAllowed = useMayWrite('client_security')
  const appList = useApps()
  const read = useRead(['licensePolicies', variantId], (store) => readPolicy(store, variantId))
  return (
    <Loaded read={read} rows={2}>
      {(policy) => (
        <>
          {policy ? <Terms policy={policy} apps={appList} /> : <p>{licenseKeys.noPolicy}</p>}
          {isAllowed && appList.length > 0 && (
            <EditPolicy policy={policy} apps={appList} variantId={variantId} />
          )}
        </>
      )}
    </Loaded>
  )
}

interface EditPolicyProps {
  policy: LicensePolicy | null
  apps: readonly ClientApp[]
  variantId: number
}

function EditPolicy({ policy, apps: appList, variantId }: EditPolicyProps) {
  const withChanges = (current: LicensePolicy | null, changed: FormValues) => ({
    ...termsOf({ ...initialValues(fieldsOf(current, appList)), ...changed }),
    ...(current && { reset_cooldown_seconds: current.reset_cooldown_seconds }),
  })
  const readAgain = async (store: StoreContext) => (await readPolicy(store, variantId)) ?? policy
  return (
    <EditAction
      label={licenseKeys.policy}
      lead={<p>{licenseKeys.policyLead}</p>}
      record={policy}
      recordName={String(variantId)}
      read={readAgain}
      fields={(current) => fieldsOf(current, appList)}
      // The API replaces the whole policy, so unchanged terms are read first and sent again.
      request={(changed) => ({
        ...securityRequest('licensePolicies', 'set', variantId, withChanges(policy, changed)),
        send: async (store) => {
          const terms = withChanges(await readAgain(store), changed)
          return store.security.licensePolicies.set(variantId, terms)
        },
      })}
    />
  )
}

interface TermsProps {
  policy: LicensePolicy
  apps: readonly ClientApp[]
}

const Terms = ({ policy, apps: appList }: TermsProps) => (
  <Facts
    rows={[
      [apps.app, appNameOf(appList, policy.app_id)],
      [licenseKeys.prefix, policy.prefix],
      [licenseKeys.level, formatNumber(policy.level)],
      [
        licenseKeys.days,
        policy.duration_seconds === null
          ? common.never
          : formatNumber(policy.duration_seconds / DAY_S),
      ],
      [licenseKeys.maxDevices, limitText(policy.max_devices)],
      [licenseKeys.maxSessions, limitText(policy.max_sessions)],
      [licenseKeys.changes, limitText(policy.max_device_changes)],
      [licenseKeys.entitlements, policy.entitlements.join(', ') || common.none],
    ]}
  />
)

const fieldsOf = (current: LicensePolicy | null, apps: readonly ClientApp[]): readonly Field[] => {
  const policy = current ?? undefined
  return [
    appField(apps, policy?.app_id),
    prefixField(policy),
    ...durationFields(policy),
    ...termFields(policy),
    resetsField(policy),
  ]
}
