import type { PageEntry } from '../../app/page-table.ts'
import { shell } from '../../text/shell.ts'

export const sellPages: readonly PageEntry[] = [
  {
    path: 'orders',
    load: () => import('./orders.tsx'),
    nav: { group: 'sell', label: shell.orders, key: 'o', count: 'orders' },
  },
  { path: 'orders/$id', load: () => import('./order.tsx') },
]
