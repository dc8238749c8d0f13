import type { PageEntry } from '../../app/page-table.ts'
import { account } from '../../text/account.ts'
import { records } from '../../text/records.ts'
import { shipping } from '../../text/shipping.ts'
import { storeSettings } from '../../text/store-settings.ts'
import { team } from '../../text/team.ts'

export const settingsPages: readonly PageEntry[] = [
  {
    path: 'settings/store',
    load: () => import('./store.tsx'),
    nav: { group: 'settings', label: storeSettings.title, key: 's' },
  },
  {
    path: 'settings/shipping',
    load: () => import('./shipping.tsx'),
    nav: { group: 'settings', label: shipping.title },
  },
  { path: 'settings/shipping/zones/$id', load: () => import('./shipping-zone.tsx') },
  { path: 'settings/shipping/locations', load: () => import('./shipping-locations.tsx') },
  {
    path: 'settings/team',
    load: () => import('./team.tsx'),
    nav: { group: 'settings', label: team.title, key: 'm' },
  },
  {
    path: 'settings/account',
    load: () => import('./account.tsx'),
    nav: { group: 'settings', label: account.title, key: 'y' },
  },
  {
    path: 'settings/wallet',
    load: () => import('./wallet.tsx'),
    nav: { group: 'settings', label: records.wallet },
  },
  {
    path: 'settings/outbox',
    load: () => import('./outbox.tsx'),
    nav: { group: 'settings', label: records.outbox },
  },
  {
    path: 'settings/audit',
    load: () => import('./audit.tsx'),
    nav: { group: 'settings', label: records.audit },
  },
  {
    path: 'settings/system',
    load: () => import('./system.tsx'),
    nav: { group: 'settings', label: records.system, isForOwners: true },
  },
]
