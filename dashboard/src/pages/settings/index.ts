import type { PageEntry } from '../../app/page-table.ts'
import { team } from '../../text/team.ts'

export const settingsPages: readonly PageEntry[] = [
  {
    path: 'settings/team',
    load: () => import('./team.tsx'),
    nav: { group: 'settings', label: team.title, key: 'm' },
  },
]
