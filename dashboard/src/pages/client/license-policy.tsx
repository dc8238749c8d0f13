import { securityRequest } from '../../api/action.ts'
import type { LicensePolicy, NewLicensePolicy } from '../../api/security.ts'
import { TradepostError, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field, Typed } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Facts } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { DAY_S, linesOf, useAppOptions } from './license-key-parts.ts'

const NOT_FOUND = 404

/** The terms of the license keys that sales of a variant create. */
export function LicensePolicyOf({ variantId }: { variantId: number }) {
  const isAllowed = useMayWrite('client_security')
  const options = useAppOptions()
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
          {policy ? <Terms of={policy} options={options} /> : <p>{licenseKeys.noPolicy}</p>}
          {isAllowed && options.length > 0 && (
            <Action
              // The fields begin with the saved policy.
              key={policy?.updated_at ?? ''}
              label={licenseKeys.policy}
              lead={<p>{licenseKeys.policyLead}</p>}
              fields={fieldsOf(policy, options)}
              submit={common.save}
              request={(values) =>
                securityRequest('licensePolicies', 'set', variantId, policyOf(values))
              }
            />
          )}
        </>
      )}
    </Loaded>
  )
}

type Options = ReturnType<typeof useAppOptions>

const limitText = (limit: number | null) =>
  limit === null ? licenseKeys.noLimit : formatNumber(limit)

const Terms = ({ of, options }: { of: LicensePolicy; options: Options }) => (
  <Facts
    of={[
      [apps.app, options.find(({ value }) => value === String(of.app_id))?.label ?? of.app_id],
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

const limit = (name: string, label: string, value?: number | null): Field => ({
  name,
  label,
  type: 'number',
  help: licenseKeys.emptyNoLimit,
  value,
})

const fieldsOf = (of: LicensePolicy | null, options: Options): readonly Field[] => [
  {
    name: 'app_id',
    label: apps.app,
    type: 'select',
    required: true,
    options,
    value: of?.app_id ?? options.at(-1)?.value,
  },
  { name: 'prefix', label: licenseKeys.prefix, help: licenseKeys.prefixHelp, value: of?.prefix },
  {
    name: 'level',
    label: licenseKeys.level,
    type: 'number',
    help: licenseKeys.levelHelp,
    value: of?.level ?? 0,
  },
  {
    name: 'days',
    label: licenseKeys.days,
    type: 'number',
    help: licenseKeys.daysHelp,
    value: of?.duration_seconds ? of.duration_seconds / DAY_S : null,
  },
  {
    name: 'expiry_basis',
    label: licenseKeys.basis,
    type: 'select',
    required: true,
    value: of?.expiry_basis ?? 'creation',
    options: [
      { value: 'creation', label: licenseKeys.creation },
      { value: 'first_activation', label: licenseKeys.firstActivation },
    ],
    when: ({ days }) => days !== '',
  },
  limit('max_devices', licenseKeys.maxDevices, of ? of.max_devices : 1),
  limit('max_sessions', licenseKeys.maxSessions, of?.max_sessions),
  limit('max_device_changes', licenseKeys.changes, of?.max_device_changes),
  limit('device_resets_left', licenseKeys.resetsLeft, of?.device_resets_left),
  {
    name: 'entitlements',
    label: licenseKeys.entitlements,
    type: 'textarea',
    help: licenseKeys.entitlementsHelp,
    value: of?.entitlements.join('\n'),
  },
]

/** The whole policy: the API replaces it. A field that is empty has its default, which is no limit. */
function policyOf({ app_id, days, entitlements, ...rest }: Typed): NewLicensePolicy {
  const sent = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(sent),
    app_id: Number(app_id),
    ...(days !== undefined && { duration_seconds: Math.round(Number(days) * DAY_S) }),
    entitlements: linesOf(entitlements),
  }
}
