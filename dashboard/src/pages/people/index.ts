import type { PageEntry } from '../../app/page-table.ts'
import { blocklist } from '../../text/blocklist.ts'

export const peoplePages: readonly PageEntry[] = [
  {
    path: 'blocklist',
    load: () => import('./blocklist.tsx'),
    nav: { group: 'people', label: blocklist.title },
  },
]
