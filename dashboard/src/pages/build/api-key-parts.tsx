import { PERMISSION_AREAS } from '../../../../sdk/dashboard/permissions.gen.ts'
import type { ApiKey } from '../../api/dashboard.ts'
import { dayOf, lastSecondOf } from '../../kit/days.ts'
import type { Field } from '../../kit/fields.tsx'
import { permissionText } from '../../kit/permission.ts'
import { apiKeys } from '../../text/api-keys.ts'
import { common } from '../../text/common.ts'

const READS = PERMISSION_AREAS.map((area) => `${area}:read`)
const WRITES = PERMISSION_AREAS.map((area) => `${area}:write`)
const ALL = PERMISSION_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`])

/** The permissions of a new key, by preset. A key without a kind is a store key. */
const PRESETS: Record<string, { label: string; permissions: string[]; kind?: 'security' }> = {
  storefront: {
    label: apiKeys.presetStorefront,
    permissions: ['products:read', 'categories:read', 'groups:read', 'orders:read', 'orders:write'],
  },
  ship: {
    label: apiKeys.presetShip,
    permissions: [
      'orders:read',
      'fulfillment:read',
      'fulfillment:write',
      'returns:read',
      'returns:write',
    ],
  },
  read: { label: apiKeys.presetRead, permissions: READS },
  all: { label: apiKeys.presetAll, permissions: [...READS, ...WRITES] },
  security_read: {
    label: apiKeys.presetSecurityRead,
    permissions: ['client_security:read'],
    kind: 'security',
  },
  security: {
    label: apiKeys.presetSecurity,
    permissions: ['client_security:read', 'client_security:write'],
    kind: 'security',
  },
}

const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: permissionText(value), code: value }))

export const NEW_KEY_FIELDS: readonly Field[] = [
  { name: 'name', label: common.name, required: true },
  {
    name: 'preset',
    label: apiKeys.access,
    type: 'select',
    required: true,
    value: 'storefront',
    options: [
      ...Object.entries(PRESETS).map(([value, { label }]) => ({ value, label })),
      { value: 'own', label: apiKeys.presetOwn },
    ],
  },
  {
    name: 'permissions',
    label: apiKeys.permissions,
    type: 'checkboxes',
    options: optionsOf(ALL),
    when: ({ preset }) => preset === 'own',
  },
  {
    name: 'allowed_ips',
    label: apiKeys.addresses,
    type: 'textarea',
    help: apiKeys.addressesHelp,
  },
  { name: 'expires_at', label: apiKeys.expires, type: 'date' },
]

/** The fields to edit a key. Permissions can only be removed. */
export const editFields = (key: ApiKey): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: key.name },
  {
    name: 'permissions',
    label: apiKeys.permissions,
    type: 'checkboxes',
    options: optionsOf(key.permissions),
    value: key.permissions,
  },
  {
    name: 'allowed_ips',
    label: apiKeys.addresses,
    type: 'textarea',
    help: apiKeys.addressesHelp,
    value: key.allowed_ips.join('\n'),
  },
  {
    name: 'expires_at',
    label: apiKeys.expires,
    type: 'date',
    value: key.expires_at === null ? '' : dayOf(key.expires_at),
  },
]

export const permissionsOf = ({ preset, permissions }: Record<string, unknown>): string[] =>
  PRESETS[String(preset)]?.permissions ?? ((permissions ?? []) as string[])

export const kindOf = ({ preset }: Record<string, unknown>): 'store' | 'security' =>
  PRESETS[String(preset)]?.kind ?? 'store'

/** The environment variables from which the samples of the documentation read a key. */
export const ENV_NAMES: Record<ApiKey['kind'], string> = {
  store: 'TRADEPOST_API_KEY',
  security: 'TRADEPOST_SECURITY_KEY',
}

export const addressesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/[\s,]+/)
    .filter((address) => address !== '')

/** The moment until which a key is valid if a day is chosen; null without a day. */
export const expiryOf = (day: unknown): string | null =>
  day === undefined ? null : lastSecondOf(String(day))

export const stateOf = ({ revoked_at, expires_at }: ApiKey): 'active' | 'revoked' | 'expired' => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}
