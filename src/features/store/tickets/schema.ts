import { z } from 'zod'
import {
  DateTime,
  Email,
  Line,
  OneOrMoreOf,
  PageQuery,
  PathId,
  Text,
} from '../../../kernel/shapes.ts'
import { OrderPath } from '../orders/index.ts'

const STATUSES = ['open', 'closed'] as const
export type Status = (typeof STATUSES)[number]

const AWAITING = ['seller', 'customer'] as const
export type Awaiting = (typeof AWAITING)[number]

const AUTHORS = ['seller', 'customer', 'system'] as const
export type Author = (typeof AUTHORS)[number]

const SUBJECT_MAX = 255
const BODY_MAX = 10_000

export const Message = z
  .object({
    id: z.int().describe('The id of the message.'),
    author: z.enum(AUTHORS).describe('`system` is a notice that needs no answer.'),
    body: z.string().describe('The text.'),
    created_at: DateTime.describe('The time of the message.'),
  })
  .meta({ id: 'TicketMessage', description: 'A message of a ticket.' })
export type Message = z.output<typeof Message>

const TicketFields = {
  id: z.int().describe('The id of the ticket.'),
  object: z.literal('ticket').describe('Always `ticket`.'),
  subject: z.string().describe('The subject, one line.'),
  status: z.enum(STATUSES).describe('A `closed` ticket takes no messages.'),
  awaiting: z
    .enum(AWAITING)
    .nullable()
    .describe('The side whose answer is awaited; null while the ticket is closed.'),
  customer: z
    .object({
      id: z.int().nullable().describe('The customer with this address; null if there is none.'),
      email: z.string().describe('In lower case.'),
    })
    .describe('The customer who asks for help.'),
  order_id: z.string().nullable().describe('The order that it is about.'),
  message_count: z.int().describe('The number of messages.'),
  last_message_at: DateTime.describe('The time of the newest message.'),
  closed_at: DateTime.nullable().describe('When it was closed; null while it is open.'),
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
    messages: z.array(Message).describe('All messages, the oldest first.'),
  })
  .meta({ id: 'Ticket', description: 'A support ticket.' })
export type Ticket = z.output<typeof Ticket>

export const TicketStats = z.object({
  total: z.int().describe('All tickets.'),
  open: z.int().describe('Open tickets.'),
  closed: z.int().describe('Closed tickets.'),
  awaiting_seller: z.int().describe('Open tickets that await the seller.'),
  awaiting_customer: z.int().describe('Open tickets that await the customer.'),
})
export type TicketStats = z.output<typeof TicketStats>

export const TicketQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('`open`, `closed`.'),
  awaiting: OneOrMoreOf(AWAITING).describe('`seller`, `customer`.'),
  email: Email.optional().describe('The e-mail address of the customer, whole.'),
  order_id: z.string().max(64).optional().describe('The order.'),
})
export type TicketQuery = z.output<typeof TicketQuery>

export const NewTicket = z
  .strictObject({
    email: Email.describe('The e-mail address of the customer.'),
    subject: Line(SUBJECT_MAX).describe('The subject, one line.'),
    message: Text(BODY_MAX).describe('The first message of the customer.'),
    order_id: OrderPath.shape.id.nullable().default(null).describe('The order that it is about.'),
  })
  .meta({ id: 'NewTicket' })
export type NewTicket = z.output<typeof NewTicket>

export const NewMessage = z
  .strictObject({
    body: Text(BODY_MAX).describe('The text.'),
    author: z
      .enum(AUTHORS)
      .default('seller')
      .describe(
        '`seller` then awaits the customer, `customer` the seller; `system` changes nothing.',
      ),
  })
  .meta({ id: 'NewTicketMessage' })
export type NewMessage = z.output<typeof NewMessage>

export const TicketPath = z.object({ id: PathId.describe('The ticket.') })
