import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'

export const clientPages: readonly PageEntry[] = [
  {
    path: 'license-keys',
    load: () => import('./license-keys.tsx'),
    nav: { group: 'client', label: navigation.licenseKeys, key: 'i' },
  },
  { path: 'license-keys/import', load: () => import('./import-keys.tsx') },
  { path: 'license-keys/$id', load: () => import('./license-key.tsx') },
  { path: 'license-keys/$id/devices', load: () => import('./license-key-devices.tsx') },
  { path: 'license-keys/$id/sessions', load: () => import('./license-key-sessions.tsx') },
  { path: 'license-keys/$id/history', load: () => import('./license-key-history.tsx') },
  {
    path: 'apps',
    load: () => import('./apps.tsx'),
    nav: { group: 'client', label: navigation.apps },
  },
  { path: 'apps/$id', load: () => import('./app.tsx') },
  {
    path: 'strings',
    load: () => import('./strings.tsx'),
    nav: { group: 'client', label: navigation.strings, key: 'n' },
  },
  { path: 'strings/$id', load: () => import('./string.tsx') },
  {
    path: 'files',
    load: () => import('./files.tsx'),
    nav: { group: 'client', label: navigation.files, key: 'd' },
  },
  { path: 'files/$id', load: () => import('./file.tsx') },
  {
    path: 'remote-settings',
    load: () => import('./settings.tsx'),
    nav: { group: 'client', label: navigation.settings, key: 'v' },
  },
  { path: 'remote-settings/$id', load: () => import('./setting.tsx') },
  {
    path: 'client-sessions',
    load: () => import('./client-sessions.tsx'),
    nav: { group: 'client', label: navigation.clientSessions },
  },
  {
    path: 'rehearsal',
    load: () => import('./rehearsal.tsx'),
    nav: { group: 'client', label: navigation.rehearsal },
  },
  {
    path: 'device-bans',
    load: () => import('./device-bans.tsx'),
    nav: { group: 'client', label: navigation.deviceBans },
  },
  {
    path: 'client-reports',
    load: () => import('./reports.tsx'),
    nav: { group: 'client', label: navigation.reports },
  },
]
