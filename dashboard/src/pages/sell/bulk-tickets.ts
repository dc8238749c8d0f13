import { storeRequest } from '../../api/action.ts'
import type { ListedTicket } from '../../api/store.ts'
import type { BulkAction } from '../../kit/bulk.ts'
import { bulkTickets } from '../../text/bulk-tickets.ts'

/** The actions on several tickets. */
export const TICKET_ACTIONS: readonly BulkAction<ListedTicket>[] = [
  {
    title: bulkTickets.close,
    lead: bulkTickets.closeLead,
    appliesTo: ({ status }) => status === 'open',
    request: ({ id }) => storeRequest('tickets', 'close', id),
  },
  {
    title: bulkTickets.reopen,
    lead: bulkTickets.reopenLead,
    appliesTo: ({ status }) => status !== 'open',
    request: ({ id }) => storeRequest('tickets', 'reopen', id),
  },
]
