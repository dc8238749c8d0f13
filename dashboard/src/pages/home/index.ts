import type { PageEntry } from '../../kit/page-entry.ts'
import { shell } from '../../text/shell.ts'

export const homePages: readonly PageEntry[] = [
  {
    path: '/',
    load: () => import('./home.tsx'),
    nav: { group: 'home', label: shell.home, key: 'h' },
  },
]
