import type { PageEntry } from '../../app/page-table.ts'
import { navigation } from '../../text/navigation.ts'

export const peoplePages: readonly PageEntry[] = [
  {
    path: 'customers',
    load: () => import('./customers.tsx'),
    nav: { group: 'people', label: navigation.customers, key: 'c' },
  },
  { path: 'customers/$id', load: () => import('./customer.tsx') },
  {
    path: 'questions',
    load: () => import('./questions.tsx'),
    nav: { group: 'people', label: navigation.feedback, key: 'r', count: 'questions' },
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
