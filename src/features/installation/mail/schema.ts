import { z } from 'zod'
import { DateTime, PageQuery, Pagination } from '../../../kernel/shapes.ts'

/** The kinds of mail. */
export const TEMPLATES = [
  'order_delivery',
  'order_shipped',
  'stock_alert',
  'password_reset',
  'team_invitation',
] as const
export type Template = (typeof TEMPLATES)[number]

/** Their text has a link that signs its reader in, so the outbox never shows it. */
export const SIGN_IN_TEMPLATES: readonly (Template | null)[] = ['password_reset', 'team_invitation']

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
      .describe('`kept`: not to be sent, as on a test side or without a mail server.'),
    created_at: DateTime.describe('When it was written.'),
    sent_at: DateTime.nullable().describe('When the mail server took it.'),
    text: z
      .string()
      .nullable()
      .describe(
        'The text, on test sides only; null on live sides, where it may hold keys, and for mail with a link to sign in.',
      ),
  })
  .meta({ id: 'OutboxMessage', description: 'A mail to a customer or a member of the team.' })
export type OutboxMessage = z.output<typeof OutboxMessage>

export const OutboxQuery = z.object(PageQuery)
export type OutboxQuery = z.output<typeof OutboxQuery>

export const Outbox = z.object({
  messages: z.array(OutboxMessage).describe('A page of messages.'),
  pagination: Pagination,
})
