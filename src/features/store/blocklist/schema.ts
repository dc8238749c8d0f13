import { z } from 'zod'
import { DateTime, Line, OneOrMoreOf, PageQuery, PathId, Text } from '../../../kernel/shapes.ts'

const TYPES = ['email', 'ip'] as const
export type BlocklistType = (typeof TYPES)[number]

/** No canonical form is longer: an e-mail address has 254 characters. */
const VALUE_MAX = 256

const Value = Line(VALUE_MAX)
const Reason = Text(1_000)
  .nullable()
  .describe('The reason, for the seller. A refused customer does not see it.')

export const BlocklistEntry = z
  .object({
    id: z.int().describe('Blocklist entry id.'),
    object: z.literal('blocklist_entry').describe('Always `blocklist_entry`.'),
    type: z.enum(TYPES).describe('`email` or `ip`.'),
    value: z
      .string()
      .describe(
        'In canonical form: an address, `*@domain`, an IP address, or a range such as `192.0.2.0/24`.',
      ),
    reason: z.string().nullable().describe('Why, for the seller.'),
    hits: z.int().describe('How many orders the entry refused.'),
    created_at: DateTime.describe('When it was added.'),
    updated_at: DateTime.describe('When it last changed; hits do not count.'),
  })
  .meta({ id: 'BlocklistEntry', description: 'An e-mail or IP address that cannot place orders.' })
export type BlocklistEntry = z.output<typeof BlocklistEntry>

export const NewBlocklistEntry = z
  .strictObject({
    type: z.enum(TYPES).describe('`email` or `ip`.'),
    value: Value.describe(
      'An e-mail address, or `*@example.com` for all addresses of a domain; an IPv4 or IPv6 address, or a range in CIDR notation. The answer shows its canonical form.',
    ),
    reason: Reason.default(null),
  })
  .meta({ id: 'NewBlocklistEntry' })
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
  ...PageQuery,
  type: OneOrMoreOf(TYPES).describe('`email`, `ip`.'),
  value: z
    .string()
    .max(VALUE_MAX)
    .optional()
    .describe('The whole value, in any form: `192.0.2.9/24` finds `192.0.2.0/24`.'),
})
export type BlocklistQuery = z.output<typeof BlocklistQuery>

export const BlocklistPath = z.object({ id: PathId.describe('The blocklist entry.') })

const Note = Text(1_000).nullable().default(null)

export const CustomerBlock = z
  .strictObject({
    note: Note.describe("Why. Replaces the customer's note, and is the reason of the new entries."),
    block_ips: z
      .boolean()
      .default(false)
      .describe("True to block the IP addresses of the customer's past orders too."),
  })
  .meta({ id: 'CustomerBlock' })
export type CustomerBlock = z.output<typeof CustomerBlock>

export const CustomerUnblock = z
  .strictObject({
    note: Note.describe("Why. Replaces the customer's note."),
    block_ips: z
      .boolean()
      .default(false)
      .describe('True to keep the IP addresses blocked that the block added.'),
  })
  .meta({ id: 'CustomerUnblock' })
export type CustomerUnblock = z.output<typeof CustomerUnblock>
