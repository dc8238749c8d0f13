import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { linkOrder } from './link-order.ts'
import { Ticket, TicketOrder, TicketPath } from './schema.ts'

/** The order of a ticket, which only the dashboard can change. */
export const ticketOrderEndpoints = [
  endpoint({
    id: 'tickets.link_order',
    method: 'PUT',
    path: '/ticket-orders/:id',
    permission: 'tickets:write',
    summary: 'Set the order that a ticket is about.',
    params: TicketPath,
    body: TicketOrder,
    example: { order_id: 'ord_0350000000000000000000' },
    response: z.object({ ticket: Ticket }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'ticket.link_order', object: 'ticket_order' },
    handle: async ({ context, params, body }) => ({
      ticket: await linkOrder(context, params.id, body.order_id),
    }),
  }),
]
