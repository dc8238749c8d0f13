import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'

export const settingsPages: readonly PageEntry[] = [
  {
    path: 'settings/store',
    load: () => import('./store.tsx'),
    nav: { group: 'settings', label: navigation.storeSettings, key: 's' },
  },
  {
    path: 'settings/payments',
    load: () => import('./payments.tsx'),
    nav: { group: 'settings', label: navigation.payments },
  },
  {
    path: 'settings/shipping',
    load: () => import('./shipping.tsx'),
    nav: { group: 'settings', label: navigation.shipping },
  },
  { path: 'settings/shipping/zones/$id', load: () => import('./shipping-zone.tsx') },
  { path: 'settings/shipping/locations', load: () => import('./shipping-locations.tsx') },
  {
    path: 'settings/team',
    load: () => import('./team.tsx'),
    nav: { group: 'settings', label: navigation.team, key: 'm' },
  },
  {
    path: 'settings/plan',
    load: () => import('./plan.tsx'),
    nav: { group: 'settings', label: navigation.plan },
  },
  {
    path: 'settings/account',
    load: () => import('./account.tsx'),
    nav: { group: 'settings', label: navigation.account, key: 'y' },
  },
  {
    path: 'settings/wallet',
    load: () => import('./wallet.tsx'),
    nav: { group: 'settings', label: navigation.wallet },
  },
  { path: 'settings/wallet/ledger', load: () => import('./ledger.tsx') },
  {
    path: 'settings/mail',
    load: () => import('./mail.tsx'),
    nav: { group: 'settings', label: navigation.outbox, tabs: ['settings/outbox'] },
  },
  { path: 'settings/mail/$template/$language', load: () => import('./mail-template.tsx') },
  { path: 'settings/outbox', load: () => import('./outbox.tsx') },
  {
    path: 'settings/audit',
    load: () => import('./audit.tsx'),
    nav: { group: 'settings', label: navigation.audit },
  },
  {
    path: 'settings/system',
    load: () => import('./system.tsx'),
    nav: { group: 'settings', label: navigation.system, isForOwners: true },
  },
]
