import type { PageEntry } from '../../app/page-table.ts'
import { protectedTexts } from '../../text/protected.ts'

export const clientPages: readonly PageEntry[] = [
  {
    path: 'strings',
    load: () => import('./strings.tsx'),
    nav: { group: 'client', label: protectedTexts.strings, key: 'n' },
  },
  { path: 'strings/$id', load: () => import('./string.tsx') },
]
