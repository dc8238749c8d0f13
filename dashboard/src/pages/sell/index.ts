import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'
import { shell } from '../../text/shell.ts'

export const sellPages: readonly PageEntry[] = [
  {
    path: 'orders',
    load: () => import('./orders.tsx'),
    nav: { group: 'sell', label: shell.orders, key: 'o', count: 'orders', tabs: ['disputes'] },
  },
  { path: 'orders/$id', load: () => import('./order.tsx') },
  { path: 'disputes', load: () => import('./disputes.tsx') },
  {
    path: 'subscriptions',
    load: () => import('./subscriptions.tsx'),
    nav: { group: 'sell', label: navigation.subscriptions, key: 'b' },
  },
  { path: 'subscriptions/$id', load: () => import('./subscription.tsx') },
  {
    path: 'returns',
    load: () => import('./returns.tsx'),
    nav: { group: 'sell', label: navigation.returns, key: 'x', count: 'returns' },
  },
  { path: 'returns/$id', load: () => import('./return.tsx') },
  {
    path: 'tickets',
    load: () => import('./tickets.tsx'),
    nav: { group: 'sell', label: navigation.tickets, key: 't', count: 'tickets' },
  },
  { path: 'tickets/replies', load: () => import('./ticket-replies.tsx') },
  { path: 'tickets/$id', load: () => import('./ticket.tsx') },
]
