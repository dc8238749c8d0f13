import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { closeTicket, postMessage, reopenTicket } from './change-ticket.ts'
import { createTicket } from './create-ticket.ts'
import {
  ListedTicket,
  NewMessage,
  NewTicket,
  Ticket,
  TicketMessage,
  TicketPath,
  TicketQuery,
  TicketStats,
} from './schema.ts'
import { getTicket, listTickets } from './show-tickets.ts'

const OneTicket = z.object({ ticket: Ticket })

export const ticketEndpoints = [
  endpoint({
    id: 'tickets.list',
    method: 'GET',
    path: '/tickets',
    permission: 'tickets:read',
    summary: 'List support tickets with stats, by default the newest first.',
    description: '`stats` counts all tickets of the store. Filters do not change `stats`.',
    query: TicketQuery,
    response: z.object({
      tickets: z.array(ListedTicket).describe('A page of tickets, without their messages.'),
      stats: TicketStats.describe('The number of tickets by status.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listTickets(context, query),
  }),
  endpoint({
    id: 'tickets.create',
    method: 'POST',
    path: '/tickets',
    permission: 'tickets:write',
    summary: 'Open a support ticket for a customer.',
    body: NewTicket,
    example: {
      email: 'ada@example.com',
      subject: 'My key does not work',
      message: 'The program says that it is unknown.',
    },
    status: 201,
    response: OneTicket,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'ticket.create', object: 'ticket' },
    handle: async ({ context, body }) => ({ ticket: await createTicket(context, body) }),
  }),
  endpoint({
    id: 'tickets.get',
    method: 'GET',
    path: '/tickets/:id',
    permission: 'tickets:read',
    summary: 'Get a ticket with its messages.',
    params: TicketPath,
    response: OneTicket,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ ticket: await getTicket(context, params.id) }),
  }),
  endpoint({
    id: 'tickets.post_message',
    method: 'POST',
    path: '/tickets/:id/messages',
    permission: 'tickets:write',
    summary: 'Post a message on an open ticket.',
    description:
      'After a message of the seller the ticket awaits the customer, and after a message of the customer it awaits the seller. Reopen a closed ticket first. No email is sent.',
    params: TicketPath,
    body: NewMessage,
    example: { body: 'Please try it again now.' },
    status: 201,
    response: z.object({ message: TicketMessage, ticket: Ticket }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'ticket.post_message', object: 'ticket' },
    handle: ({ context, params, body }) => postMessage(context, params.id, body),
  }),
  endpoint({
    id: 'tickets.close',
    method: 'POST',
    path: '/tickets/:id/close',
    permission: 'tickets:write',
    summary: 'Close an open ticket.',
    params: TicketPath,
    response: OneTicket,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'ticket.close', object: 'ticket' },
    handle: async ({ context, params }) => ({ ticket: await closeTicket(context, params.id) }),
  }),
  endpoint({
    id: 'tickets.reopen',
    method: 'POST',
    path: '/tickets/:id/reopen',
    permission: 'tickets:write',
    summary: 'Reopen a closed ticket.',
    params: TicketPath,
    response: OneTicket,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'ticket.reopen', object: 'ticket' },
    handle: async ({ context, params }) => ({ ticket: await reopenTicket(context, params.id) }),
  }),
]
