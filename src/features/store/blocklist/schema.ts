import { z } from 'zod'
import {
  DateTime,
  Email,
  Line,
  ListQuery,
  OneOrMoreOf,
  PathId,
  Text,
} from '../../../kernel/shapes.ts'

const TYPES = ['email', 'ip'] as const
export type BlocklistType = (typeof TYPES)[number]

/** Longer than every canonical value. An email address has at most 254 characters. */
const VALUE_MAX = 256

const Value = Line(VALUE_MAX)
const Reason = Text(1_000).nullable().describe('The reason, which only the seller sees.')

export const BlocklistEntry = z
  .object({
    id: z.int().describe('The id of the blocklist entry.'),
    object: z.literal('blocklist_entry').describe('Always `blocklist_entry`.'),
    type: z.enum(TYPES).describe('The type of the value: `email` or `ip`.'),
    value: z
      .string()
      .describe(
        'The canonical form of the value: an email address, `*@domain`, an IP address, or a range such as `192.0.2.0/24`.',
      ),
    reason: z.string().nullable().describe('The reason, which only the seller sees.'),
    hits: z.int().describe('The number of orders that the entry refused.'),
    created_at: DateTime.describe('The time when the entry was added.'),
    updated_at: DateTime.describe('The time when the value or the reason last changed.'),
  })
  .meta({
    id: 'BlocklistEntry',
    description: 'Email or IP addresses from which no orders are accepted.',
  })
export type BlocklistEntry = z.output<typeof BlocklistEntry>

export const NewBlocklistEntry = z
  .strictObject({
    type: z.enum(TYPES).describe('The type of the value: `email` or `ip`.'),
    value: Value.describe(
      'An email address, or `*@example.com` for all addresses of a domain; an IPv4 or IPv6 address, or a range in CIDR notation. The answer shows the canonical form.',
    ),
    reason: Reason.default(null),
  })
  .meta({ id: 'BlocklistEntryInput' })
export type NewBlocklistEntry = z.output<typeof NewBlocklistEntry>

export const BlocklistEntryPatch = z
  .strictObject({
    value: Value.describe('Another value of the same type.'),
    reason: Reason,
  })
  .partial()
  .meta({ id: 'BlocklistEntryPatch' })
export type BlocklistEntryPatch = z.output<typeof BlocklistEntryPatch>

export const BlocklistQuery = z.object({
  ...ListQuery,
  type: OneOrMoreOf(TYPES).describe('One or both of `email` and `ip`.'),
  value: z
    .string()
    .max(VALUE_MAX)
    .optional()
    .describe('The whole value, in any notation: `192.0.2.9/24` finds `192.0.2.0/24`.'),
})
export type BlocklistQuery = z.output<typeof BlocklistQuery>

export const BlocklistMatchQuery = z
  .object({
    email: Email.optional().describe("The buyer's email address."),
    ip: z
      .union([z.ipv4(), z.ipv6()], 'Use an IPv4 or IPv6 address.')
      .optional()
      .describe("The buyer's IP address."),
  })
  .refine(({ email, ip }) => email !== undefined || ip !== undefined, {
    path: ['email'],
    error: 'Send an email address, an IP address or both.',
  })
export type BlocklistMatchQuery = z.output<typeof BlocklistMatchQuery>

export const BlocklistPath = z.object({ id: PathId.describe('The id of the blocklist entry.') })

const Note = Text(1_000).nullable().default(null)

export const CustomerBlock = z
  .strictObject({
    note: Note.describe(
      "The reason for the block. It replaces the customer's note and is the reason of the new entries.",
    ),
    block_ips: z
      .boolean()
      .default(false)
      .describe("If true, the IP addresses of the customer's latest orders are blocked too."),
  })
  .meta({ id: 'CustomerBlock' })
export type CustomerBlock = z.output<typeof CustomerBlock>

export const CustomerUnblock = z
  .strictObject({
    note: Note.describe("The reason for the unblocking. It replaces the customer's note."),
    block_ips: z
      .boolean()
      .default(false)
      .describe('If true, the IP addresses that the block added remain blocked.'),
  })
  .meta({ id: 'CustomerUnblock' })
export type CustomerUnblock = z.output<typeof CustomerUnblock>
