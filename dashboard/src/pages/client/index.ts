import type { PageEntry } from '../../app/page-table.ts'
import { apps } from '../../text/client-apps.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { protectedTexts } from '../../text/protected.ts'

export const clientPages: readonly PageEntry[] = [
  {
    path: 'license-keys',
    load: () => import('./license-keys.tsx'),
    nav: { group: 'client', label: licenseKeys.title, key: 'i' },
  },
  { path: 'license-keys/$id', load: () => import('./license-key.tsx') },
  { path: 'license-keys/$id/devices', load: () => import('./license-key-devices.tsx') },
  { path: 'license-keys/$id/sessions', load: () => import('./license-key-sessions.tsx') },
  { path: 'license-keys/$id/history', load: () => import('./license-key-history.tsx') },
  {
    path: 'apps',
    load: () => import('./apps.tsx'),
    nav: { group: 'client', label: apps.title },
  },
  { path: 'apps/$id', load: () => import('./app.tsx') },
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
  {
    path: 'remote-settings',
    load: () => import('./settings.tsx'),
    nav: { group: 'client', label: protectedTexts.settings, key: 'v' },
  },
  { path: 'remote-settings/$id', load: () => import('./setting.tsx') },
]
