import type { PageEntry } from '../../app/page-table.ts'
import { returns } from '../../text/returns.ts'
import { shell } from '../../text/shell.ts'
import { subscriptions } from '../../text/subscriptions.ts'
import { tickets } from '../../text/tickets.ts'

export const sellPages: readonly PageEntry[] = [
  {
    path: 'orders',
    load: () => import('./orders.tsx'),
    nav: { group: 'sell', label: shell.orders, key: 'o', count: 'orders' },
  },
  { path: 'orders/$id', load: () => import('./order.tsx') },
  {
    path: 'subscriptions',
    load: () => import('./subscriptions.tsx'),
    nav: { group: 'sell', label: subscriptions.title, key: 'b' },
  },
  { path: 'subscriptions/$id', load: () => import('./subscription.tsx') },
  {
    path: 'returns',
    load: () => import('./returns.tsx'),
    nav: { group: 'sell', label: returns.title, key: 'x', count: 'returns' },
  },
  { path: 'returns/$id', load: () => import('./return.tsx') },
  {
    path: 'tickets',
    load: () => import('./tickets.tsx'),
    nav: { group: 'sell', label: tickets.title, key: 't', count: 'tickets' },
  },
  { path: 'tickets/$id', load: () => import('./ticket.tsx') },
]
