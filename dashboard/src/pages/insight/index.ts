import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'

export const insightPages: readonly PageEntry[] = [
  {
    path: 'analytics',
    load: () => import('./analytics.tsx'),
    nav: { group: 'insight', label: navigation.analytics, key: 'a' },
  },
  {
    path: 'exports',
    load: () => import('./exports.tsx'),
    nav: { group: 'insight', label: navigation.exports, key: 'j' },
  },
]
