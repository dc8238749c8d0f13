import { z } from 'zod'
import {
  DateTime,
  Email,
  Line,
  ListQuery,
  OneOrMoreOf,
  PathId,
  VisibleText,
} from '../../../kernel/shapes.ts'
import { OrderPath } from '../orders/index.ts'

const STATUSES = ['open', 'closed'] as const
export type TicketStatus = (typeof STATUSES)[number]

const AWAITING = ['seller', 'customer'] as const
export type Awaiting = (typeof AWAITING)[number]

const AUTHORS = ['seller', 'customer', 'system'] as const
export type Author = (typeof AUTHORS)[number]
/** Messages of the system are the program's own (decision 186). */
const WRITERS = ['seller', 'customer'] as const

const SUBJECT_MAX = 255
const BODY_MAX = 10_000

export const TicketMessage = z
  .object({
    id: z.int().describe('The id of the message.'),
    author: z
      .enum(AUTHORS)
      .describe('The author. A message of `system` is a notice that needs no answer.'),
    body: z.string().describe('The text of the message.'),
    created_at: DateTime.describe('The time of the message.'),
  })
  .meta({ id: 'TicketMessage', description: 'A message of a ticket.' })
export type TicketMessage = z.output<typeof TicketMessage>

const TicketFields = {
  id: z.int().describe('The id of the ticket.'),
  object: z.literal('ticket').describe('Always `ticket`.'),
  subject: z.string().describe('The subject, a single line.'),
  status: z.enum(STATUSES).describe('The status. No messages can be posted on a `closed` ticket.'),
  awaiting: z
    .enum(AWAITING)
    .nullable()
    .describe('The party whose answer is awaited; null while the ticket is closed.'),
  customer: z
    .object({
      id: z
        .int()
        .nullable()
        .describe('The id of the customer with this email address; null if there is none.'),
      email: z.string().describe('The email address, in lower case.'),
    })
    .describe('The customer who asks for help.'),
  order_id: z
    .string()
    .nullable()
    .describe('The id of the order that the ticket is about; null if there is none.'),
  message_count: z.int().describe('The number of messages.'),
  last_message_at: DateTime.describe('The time of the newest message.'),
  closed_at: DateTime.nullable().describe(
    'The time when the ticket was closed; null while it is open.',
  ),
  created_at: DateTime.describe('The time of creation.'),
  updated_at: DateTime.describe('The time of the last change.'),
}

export const ListedTicket = z
  .object(TicketFields)
  .meta({ id: 'ListedTicket', description: 'A support ticket without its messages.' })
export type ListedTicket = z.output<typeof ListedTicket>

export const Ticket = z
  .object({
    ...TicketFields,
    messages: z.array(TicketMessage).describe('All messages, the oldest first.'),
  })
  .meta({ id: 'Ticket', description: 'A support ticket.' })
export type Ticket = z.output<typeof Ticket>

export const TicketStats = z.object({
  total: z.int().describe('The number of all tickets.'),
  open: z.int().describe('The number of open tickets.'),
  closed: z.int().describe('The number of closed tickets.'),
  awaiting_seller: z.int().describe('The number of open tickets that await the seller.'),
  awaiting_customer: z.int().describe('The number of open tickets that await the customer.'),
})
export type TicketStats = z.output<typeof TicketStats>

export const TicketQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('One or both of `open` and `closed`.'),
  awaiting: OneOrMoreOf(AWAITING).describe('One or both of `seller` and `customer`.'),
  email: Email.optional().describe('The full email address of the customer.'),
  order_id: z.string().max(64).optional().describe('The id of the order.'),
  sort: z
    .enum(['-created_at', 'waiting'])
    .default('-created_at')
    .describe(
      '`-created_at` sorts the newest first. `waiting` sorts tickets that await the seller first, the longest waiting first, and then all others, the newest message first.',
    ),
})
export type TicketQuery = z.output<typeof TicketQuery>

export const NewTicket = z
  .strictObject({
    email: Email.describe('The email address of the customer.'),
    subject: Line(SUBJECT_MAX).describe('The subject, a single line.'),
    message: VisibleText(BODY_MAX).describe('The first message of the customer.'),
    order_id: OrderPath.shape.id
      .nullable()
      .default(null)
      .describe('The id of the order that the ticket is about; null if there is none.'),
  })
  .meta({ id: 'TicketInput' })
export type NewTicket = z.output<typeof NewTicket>

export const NewMessage = z
  .strictObject({
    body: VisibleText(BODY_MAX).describe('The text of the message.'),
    author: z
      .enum(WRITERS, 'Use seller or customer.')
      .default('seller')
      .describe(
        'The author. After a message of `seller` the ticket awaits the customer, and after one of `customer` the seller.',
      ),
  })
  .meta({ id: 'TicketMessageInput' })
export type NewMessage = z.output<typeof NewMessage>

export const TicketOrder = z.strictObject({
  order_id: OrderPath.shape.id
    .nullable()
    .describe('The id of the order that the ticket is about; null removes it.'),
})

export const TicketPath = z.object({ id: PathId.describe('The id of the ticket.') })
