import type { ClientApp, ClientAppInput, ClientAppPatch } from '../../api/security.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { linesOf } from '../../kit/values.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'

const MATCHES = [
  { value: 'exact', label: apps.exact },
  { value: 'most', label: apps.most },
  { value: 'two', label: apps.two },
  { value: 'any', label: apps.anyOne },
]

/** The limits of calls, with their labels. */
export const LIMITS = [
  ['unknown_keys', apps.unknownKeys],
  ['unknown_tokens', apps.unknownTokens],
  ['session_starts', apps.sessionStarts],
  ['validations', apps.validations],
  ['session_calls', apps.sessionCalls],
] as const

export const matchText = (match: ClientApp['device_policy']['match']): string =>
  MATCHES.find(({ value }) => value === match)?.label ?? match

/** The fields of a new app. Its other settings have defaults, and are changed on its page. */
export const newAppFields = (): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, autoComplete: 'off' },
  { name: 'latest_version', label: apps.latestVersion },
  { name: 'min_version', label: apps.minVersion, help: apps.minVersionHelp },
]

export const versionFields = (app: ClientApp): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: app.name },
  { name: 'latest_version', label: apps.latestVersion, value: app.latest_version },
  {
    name: 'min_version',
    label: apps.minVersion,
    help: apps.minVersionHelp,
    value: app.min_version,
  },
  { name: 'download_url', label: apps.downloadUrl, type: 'url', value: app.download_url },
  {
    name: 'allowed_checksums',
    label: apps.checksums,
    type: 'textarea',
    help: apps.checksumsHelp,
    value: app.allowed_checksums.join('\n'),
  },
]

export const sessionFields = (app: ClientApp): readonly Field[] => [
  numberField('session_ttl_seconds', apps.sessionTtl, app.session_ttl_seconds),
  numberField('heartbeat_seconds', apps.heartbeat, app.heartbeat_seconds),
  numberField('grace_seconds', apps.grace, app.grace_seconds),
  {
    name: 'allow_public_session',
    label: apps.publicSession,
    type: 'checkbox',
    value: app.allow_public_session,
  },
]

const numberField = (name: string, label: string, value: number): Field => ({
  name,
  label,
  type: 'number',
  required: true,
  value,
})

export const deviceFields = ({ device_policy: policy }: ClientApp): readonly Field[] => [
  {
    name: 'match',
    label: apps.deviceMatch,
    type: 'select',
    required: true,
    options: MATCHES,
    value: policy.match,
  },
  { name: 'required', label: apps.deviceRequired, type: 'checkbox', value: policy.required },
  {
    name: 'key_required',
    label: apps.deviceKey,
    type: 'checkbox',
    help: apps.deviceKeyHelp,
    value: policy.key_required,
  },
]

export const limitFields = ({ rate_limits }: ClientApp): readonly Field[] =>
  LIMITS.map(([name, label]) => ({
    name,
    label,
    type: 'number' as const,
    help: apps.emptyNoLimit,
    value: rate_limits[name],
  }))

export const ruleFields = ({ report_rules }: ClientApp): readonly Field[] => [
  {
    name: 'report_rules',
    label: apps.reportRules,
    type: 'textarea',
    help: apps.reportRulesHelp,
    value: Object.entries(report_rules)
      .map(([kind, action]) => `${kind} = ${action}`)
      .join('\n'),
  },
]

/** A line without "=" keeps its text as the kind and an empty action, so that the refusal of the API names it. */
const rulesOf = (value: unknown) =>
  Object.fromEntries(
    linesOf(value).map((line) => {
      const [kind = '', action = ''] = line.split('=').map((part) => part.trim())
      return [kind, action]
    }),
  ) as ClientApp['report_rules']

export const newAppOf = (values: FormValues): ClientAppInput =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as unknown as ClientAppInput

/** The changed fields as a patch. A field that was cleared becomes null, or an empty list. */
export function appPatchOf(changed: FormValues): ClientAppPatch {
  const entries = Object.entries(changed).map(([name, value]) => {
    if (name === 'allowed_checksums') return [name, linesOf(value)]
    if (name === 'report_rules') return [name, rulesOf(value)]
    return [name, value ?? null]
  })
  return Object.fromEntries(entries) as ClientAppPatch
}
