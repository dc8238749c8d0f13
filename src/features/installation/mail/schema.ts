import { z } from 'zod'
import { DateTime, ListQuery, OneOrMoreOf, Pagination } from '../../../kernel/shapes.ts'
import { TEMPLATES, type Template } from '../mail-texts/index.ts'

/** The templates with a link to an account. The outbox never shows their texts. */
export const ACCOUNT_TEMPLATES: readonly (Template | null)[] = [
  'password_reset',
  'team_invitation',
  'email_change',
  'email_changed',
]

const STATUSES = ['queued', 'sent', 'failed', 'bounced', 'kept'] as const

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
        'The state. `bounced` mail was refused for good by the mail server. `failed` mail was not sent after seven attempts. `kept` mail is never sent: it belongs to a test side, or there was no mail server.',
      ),
    order_id: z.string().nullable().describe('The order that the mail is about.'),
    attempts: z.int().describe('The number of attempts to send the mail.'),
    error: z
      .string()
      .nullable()
      .describe('The error of the last attempt, or the answer of the mail server.'),
    created_at: DateTime.describe('The time at which the mail was queued.'),
    sent_at: DateTime.nullable().describe('The time at which the mail server accepted the mail.'),
    bounced_at: DateTime.nullable().describe(
      'The time at which the mail server refused the mail for good.',
    ),
    html: z
      .string()
      .nullable()
      .describe('The HTML of mail of a test side; null where `text` is null.'),
    text: z
      .string()
      .nullable()
      .describe(
        'The text of mail of a test side. Null on live sides, because it may contain keys, and for mail with a sign-in link.',
      ),
  })
  .meta({ id: 'OutboxMessage', description: 'A mail to a customer or a member of the team.' })
export type OutboxMessage = z.output<typeof OutboxMessage>

export const OutboxQuery = z.object({
  ...ListQuery,
  order_id: z.string().max(64).optional().describe('Only mail about this order.'),
  template: OneOrMoreOf(TEMPLATES).describe('Only mail of these templates.'),
  status: OneOrMoreOf(STATUSES).describe('Only mail with one of these states.'),
})
export type OutboxQuery = z.output<typeof OutboxQuery>

export const Outbox = z.object({
  messages: z.array(OutboxMessage).describe('A page of messages.'),
  pagination: Pagination,
})
