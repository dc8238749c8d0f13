import type { PageEntry } from '../../kit/page-entry.ts'
import { navigation } from '../../text/navigation.ts'

export const peoplePages: readonly PageEntry[] = [
  {
    path: 'customers',
    load: () => import('./customers.tsx'),
    nav: { group: 'people', label: navigation.customers, key: 'c' },
  },
  { path: 'customers/$id', load: () => import('./customer.tsx') },
  { path: 'customers/$id/licenses', load: () => import('./customer-licenses.tsx') },
  { path: 'customers/$id/subscriptions', load: () => import('./customer-subscriptions.tsx') },
  { path: 'customers/$id/payment-methods', load: () => import('./customer-cards.tsx') },
  { path: 'customers/$id/tickets', load: () => import('./customer-tickets.tsx') },
  { path: 'customers/$id/balance', load: () => import('./customer-balance.tsx') },
  { path: 'customers/$id/consent', load: () => import('./customer-consent.tsx') },
  {
    path: 'questions',
    load: () => import('./questions.tsx'),
    nav: {
      group: 'people',
      label: navigation.feedback,
      key: 'r',
      count: 'questions',
      tabs: ['reviews'],
    },
  },
  { path: 'questions/$id', load: () => import('./question.tsx') },
  { path: 'reviews', load: () => import('./reviews.tsx') },
  { path: 'reviews/$id', load: () => import('./review.tsx') },
  {
    path: 'affiliates',
    load: () => import('./affiliates.tsx'),
    nav: { group: 'people', label: navigation.affiliates, key: 'f', count: 'payouts' },
  },
  { path: 'affiliates/partners', load: () => import('./partners.tsx') },
  { path: 'affiliates/partners/$id', load: () => import('./partners-record.tsx') },
  { path: 'affiliates/payouts', load: () => import('./payouts.tsx') },
  { path: 'affiliates/payouts/$id', load: () => import('./payouts-record.tsx') },
  { path: 'affiliates/program', load: () => import('./affiliates-program.tsx') },
  {
    path: 'blocklist',
    load: () => import('./blocklist.tsx'),
    nav: { group: 'people', label: navigation.blocklist },
  },
]
