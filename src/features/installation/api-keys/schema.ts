import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { isRange } from '../../../kernel/net.ts'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'

const PERMISSIONS_MAX = 100
const RANGES_MAX = 50

const Kind = z.enum(['store', 'security']).describe('`security` opens the Client Security API.')
const Permissions = list(Line(60), { max: PERMISSIONS_MAX })
  .refine((items) => items.length > 0, 'Name at least one permission.')
  .describe('The permissions of the key, such as `orders:read`.')
const AllowedIps = list(
  z.string().max(64).refine(isRange, 'Write an address or a CIDR, such as 203.0.113.0/24.'),
  { max: RANGES_MAX },
).describe('Addresses and CIDRs that may use the key; empty for all.')

export const ListedKey = z
  .object({
    id: z.int().describe('Key id; audit events name it.'),
    kind: Kind,
    name: z.string().describe('The name of the key, for people.'),
    prefix: z.string().describe('How the key begins, such as `sk_live_`.'),
    last4: z.string().describe('The last four characters.'),
    permissions: z.array(z.string()).describe('The permissions of the key.'),
    allowed_ips: z.array(z.string()).describe('Addresses that may use it; empty for all.'),
    rate_limit: z.int().describe('Calls a minute; 0 means no limit.'),
    only_this_store: z
      .boolean()
      .describe('False if it opens other stores; then it is read-only here.'),
    expires_at: DateTime.nullable().describe('When the key expires.'),
    last_used_at: DateTime.nullable().describe('The last call, to within a minute.'),
    revoked_at: DateTime.nullable().describe('When it was revoked.'),
    created_at: DateTime.describe('When it was created.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key that opens this store, without its secret.' })
export type ListedKey = z.output<typeof ListedKey>

const KeyFields = {
  name: Line(120).describe('The name of the key, for people.'),
  permissions: Permissions,
  allowed_ips: AllowedIps,
  expires_at: DateTime.nullable().describe('When the key expires; null for never.'),
}

export const CreateKey = z.strictObject({
  name: KeyFields.name,
  kind: Kind.default('store'),
  permissions: KeyFields.permissions,
  allowed_ips: KeyFields.allowed_ips.default([]),
  expires_at: KeyFields.expires_at.default(null),
})
export type CreateKey = z.output<typeof CreateKey>

export const KeyPatch = z.strictObject(KeyFields).partial()
export type KeyPatch = z.output<typeof KeyPatch>

export const RollKey = z.strictObject({
  mode: z
    .enum(['now', 'overlap'])
    .describe('`now` ends the old key at once, `overlap` after 24 hours.'),
})
export type RollKey = z.output<typeof RollKey>

export const KEY_EXAMPLE = { name: 'Fulfilment', permissions: [PERMISSIONS[0] ?? ''] }
