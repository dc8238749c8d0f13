import type { PageEntry } from '../../app/page-table.ts'
import { blocklist } from '../../text/blocklist.ts'
import { customers } from '../../text/customers.ts'

export const peoplePages: readonly PageEntry[] = [
  {
    path: 'customers',
    load: () => import('./customers.tsx'),
    nav: { group: 'people', label: customers.title, key: 'c' },
  },
  { path: 'customers/$id', load: () => import('./customer.tsx') },
  {
    path: 'blocklist',
    load: () => import('./blocklist.tsx'),
    nav: { group: 'people', label: blocklist.title },
  },
]
