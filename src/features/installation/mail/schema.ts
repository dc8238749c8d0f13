import { z } from 'zod'
import { DateTime, ListQuery, Pagination } from '../../../kernel/shapes.ts'

/** The kinds of mail. */
const TEMPLATES = [
  'order_delivery',
  'order_shipped',
  'stock_alert',
  'password_reset',
  'team_invitation',
  'email_change',
] as const
export type Template = (typeof TEMPLATES)[number]

/** The templates with a link to an account. The outbox never shows their texts. */
export const ACCOUNT_TEMPLATES: readonly (Template | null)[] = [
  'password_reset',
  'team_invitation',
  'email_change',
]

const STATUSES = ['queued', 'sent', 'failed', 'kept'] as const

export const OutboxMessage = z
  .object({
    id: z.int().describe('The id of the message.'),
    to: z.string().describe('The recipient.'),
    subject: z.string().nullable().describe('The subject; null for mail of older versions.'),
    template: z
      .enum(TEMPLATES)
      .nullable()
      .describe('The kind of mail; null for mail of older versions.'),
    status: z
      .enum(STATUSES)
      .describe(
        'The state. `kept` mail is never sent: it belongs to a test side, or there was no mail server.',
      ),
    created_at: DateTime.describe('The time at which the mail was queued.'),
    sent_at: DateTime.nullable().describe('The time at which the mail server accepted the mail.'),
    text: z
      .string()
      .nullable()
      .describe(
        'The text of mail of a test side. Null on live sides, because it may contain keys, and for mail with a sign-in link.',
      ),
  })
  .meta({ id: 'OutboxMessage', description: 'A mail to a customer or a member of the team.' })
export type OutboxMessage = z.output<typeof OutboxMessage>

export const OutboxQuery = z.object(ListQuery)
export type OutboxQuery = z.output<typeof OutboxQuery>

export const Outbox = z.object({
  messages: z.array(OutboxMessage).describe('A page of messages.'),
  pagination: Pagination,
})
