import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'

export const buildPages: readonly PageEntry[] = [
  {
    path: 'api-keys',
    load: () => import('./api-keys.tsx'),
    nav: { group: 'build', label: navigation.apiKeys, key: 'k' },
  },
  { path: 'api-keys/$id', load: () => import('./api-key.tsx') },
  {
    path: 'webhooks',
    load: () => import('./webhooks.tsx'),
    nav: { group: 'build', label: navigation.webhooks, key: 'w', count: 'endpoints' },
  },
  { path: 'webhooks/$id', load: () => import('./webhook.tsx') },
  { path: 'webhooks/$id/deliveries', load: () => import('./webhook-deliveries.tsx') },
  { path: 'webhooks/$id/settings', load: () => import('./webhook-settings.tsx') },
  {
    path: 'events',
    load: () => import('./events.tsx'),
    nav: { group: 'build', label: navigation.webhookEvents, key: 'e' },
  },
  { path: 'events/deliveries', load: () => import('./all-deliveries.tsx') },
  { path: 'events/types', load: () => import('./event-types.tsx') },
  { path: 'events/$id', load: () => import('./event.tsx') },
  { path: 'events/deliveries/$id', load: () => import('./delivery.tsx') },
  {
    path: 'request-log',
    load: () => import('./request-log.tsx'),
    nav: { group: 'build', label: navigation.requestLog, key: 'l' },
  },
  { path: 'request-log/$id', load: () => import('./request.tsx') },
]
