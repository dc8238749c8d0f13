import type { PageEntry } from '../../app/page-table.ts'
import { protectedTexts } from '../../text/protected.ts'

export const clientPages: readonly PageEntry[] = [
  {
    path: 'strings',
    load: () => import('./strings.tsx'),
    nav: { group: 'client', label: protectedTexts.strings, key: 'n' },
  },
  { path: 'strings/$id', load: () => import('./string.tsx') },
  {
    path: 'files',
    load: () => import('./files.tsx'),
    nav: { group: 'client', label: protectedTexts.files, key: 'd' },
  },
  { path: 'files/$id', load: () => import('./file.tsx') },
]
