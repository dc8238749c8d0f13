import type { PageEntry } from '../../app/page-table.ts'
import { analytics } from '../../text/analytics.ts'

export const insightPages: readonly PageEntry[] = [
  {
    path: 'analytics',
    load: () => import('./analytics.tsx'),
    nav: { group: 'insight', label: analytics.title, key: 'a' },
  },
]
