import { catalogue } from './catalogue.ts'

/** Texts of the actions on several tickets. */
export const bulkTickets = catalogue({
  close: [
    'Close {n} {n:ticket|tickets}',
    '{n} {n:Ticket|Tickets} schließen',
    'Cerrar {n} {n:ticket|tickets}',
  ],
  closeLead: [
    '{n} {n:ticket takes|tickets take} no messages until opened again.',
    '{n} {n:Ticket nimmt|Tickets nehmen} keine Nachrichten an, bis Sie {n:es|sie} wieder öffnen.',
    '{n} {n:ticket no admite|tickets no admiten} mensajes hasta que se {n:reabra|reabran}.',
  ],
  reopen: [
    'Open {n} {n:ticket|tickets} again',
    '{n} {n:Ticket|Tickets} wieder öffnen',
    'Reabrir {n} {n:ticket|tickets}',
  ],
  reopenLead: [
    '{n} {n:ticket takes|tickets take} messages again.',
    '{n} {n:Ticket nimmt|Tickets nehmen} wieder Nachrichten an.',
    '{n} {n:ticket admite|tickets admiten} mensajes de nuevo.',
  ],
})
