import type { PageEntry } from '../../app/page-table.ts'
import { shell } from '../../text/shell.ts'
import { tickets } from '../../text/tickets.ts'

export const sellPages: readonly PageEntry[] = [
  {
    path: 'orders',
    load: () => import('./orders.tsx'),
    nav: { group: 'sell', label: shell.orders, key: 'o', count: 'orders' },
  },
  { path: 'orders/$id', load: () => import('./order.tsx') },
  {
    path: 'tickets',
    load: () => import('./tickets.tsx'),
    nav: { group: 'sell', label: tickets.title, key: 't', count: 'tickets' },
  },
  { path: 'tickets/$id', load: () => import('./ticket.tsx') },
]
