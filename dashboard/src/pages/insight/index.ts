import type { PageEntry } from '../../app/page-table.ts'
import { navigation } from '../../text/navigation.ts'

export const insightPages: readonly PageEntry[] = [
  {
    path: 'analytics',
    load: () => import('./analytics.tsx'),
    nav: { group: 'insight', label: navigation.analytics, key: 'a' },
  },
]
