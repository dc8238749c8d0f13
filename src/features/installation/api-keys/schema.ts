import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { withRule } from '../../../kernel/broken-rule.ts'
import { isRange } from '../../../kernel/net.ts'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'

const PERMISSIONS_MAX = 100
const RANGES_MAX = 50

const Kind = z.enum(['store', 'security']).describe('`security` is for the Client Security API.')
const Permissions = list(Line(60), { max: PERMISSIONS_MAX })
  .refine(
    (items) => items.length > 0,
    withRule('Name at least one permission.', { rule: 'min_items', limit: 1 }),
  )
  .describe('The permissions of the key, such as `orders:read`.')
const AllowedIps = list(
  z
    .string()
    .max(64)
    .refine(isRange, 'Write an IP address or a CIDR range, such as 203.0.113.0/24.'),
  { max: RANGES_MAX },
).describe('IP addresses and CIDR ranges that may use the key; empty for all.')

export const ListedApiKey = z
  .object({
    id: z.int().describe('The id of the key, as in audit events.'),
    kind: Kind,
    name: z.string().describe('The name of the key, for people.'),
    prefix: z.string().describe('The first characters of the key, such as `sk_live_`.'),
    last4: z.string().describe('The last four characters of the key.'),
    permissions: z.array(z.string()).describe('The permissions of the key.'),
    allowed_ips: z.array(z.string()).describe('Addresses that may use the key; empty for all.'),
    rate_limit: z.int().describe('The limit of calls a minute; 0 means no limit.'),
    only_this_store: z
      .boolean()
      .describe('False if the key is also valid for other stores. It then cannot be changed here.'),
    expires_at: DateTime.nullable().describe('The time at which the key expires; null for never.'),
    last_used_at: DateTime.nullable().describe('The time of the last call, to the minute.'),
    revoked_at: DateTime.nullable().describe('The time at which the key was revoked.'),
    created_at: DateTime.describe('The time at which the key was created.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key of this store, without its secret.' })
export type ListedApiKey = z.output<typeof ListedApiKey>

const KeyFields = {
  name: Line(120).describe('The name of the key, for people.'),
  permissions: Permissions,
  allowed_ips: AllowedIps,
  expires_at: DateTime.nullable().describe('The time at which the key expires; null for never.'),
}

export const CreateKey = z.strictObject({
  name: KeyFields.name,
  kind: Kind.default('store'),
  permissions: KeyFields.permissions,
  allowed_ips: KeyFields.allowed_ips.default([]),
  expires_at: KeyFields.expires_at.default(null),
})
export type CreateKey = z.output<typeof CreateKey>

export const ApiKeyPatch = z.strictObject(KeyFields).partial()
export type ApiKeyPatch = z.output<typeof ApiKeyPatch>

export const RollKey = z.strictObject({
  mode: z
    .enum(['now', 'overlap'])
    .describe('The end of the old key: at once (`now`), or after 24 hours (`overlap`).'),
})
export type RollKey = z.output<typeof RollKey>

export const KEY_EXAMPLE = { name: 'Fulfilment', permissions: [PERMISSIONS[0] ?? ''] }
