import type { PageEntry } from '../../app/page-table.ts'
import { apiKeys } from '../../text/api-keys.ts'
import { requestLog } from '../../text/request-log.ts'
import { webhooks } from '../../text/webhooks.ts'

export const buildPages: readonly PageEntry[] = [
  {
    path: 'api-keys',
    load: () => import('./api-keys.tsx'),
    nav: { group: 'build', label: apiKeys.title, key: 'k' },
  },
  { path: 'api-keys/$id', load: () => import('./api-key.tsx') },
  {
    path: 'webhooks',
    load: () => import('./webhooks.tsx'),
    nav: { group: 'build', label: webhooks.title, key: 'w', count: 'endpoints' },
  },
  { path: 'webhooks/$id', load: () => import('./webhook.tsx') },
  {
    path: 'events',
    load: () => import('./events.tsx'),
    nav: { group: 'build', label: webhooks.events, key: 'e' },
  },
  { path: 'events/deliveries/$id', load: () => import('./delivery.tsx') },
  {
    path: 'request-log',
    load: () => import('./request-log.tsx'),
    nav: { group: 'build', label: requestLog.title, key: 'l' },
  },
  { path: 'request-log/$id', load: () => import('./request.tsx') },
]
