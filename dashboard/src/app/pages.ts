import type { Role } from '../api/store.ts'
import type { PageEntry } from '../kit/page-entry.ts'
import { buildPages } from '../pages/build/index.ts'
import { cataloguePages } from '../pages/catalogue/index.ts'
import { clientPages } from '../pages/client/index.ts'
import { homePages } from '../pages/home/index.ts'
import { insightPages } from '../pages/insight/index.ts'
import { peoplePages } from '../pages/people/index.ts'
import { sellPages } from '../pages/sell/index.ts'
import { settingsPages } from '../pages/settings/index.ts'

export const PAGES: readonly PageEntry[] = [
  ...homePages,
  ...sellPages,
  ...cataloguePages,
  ...peoplePages,
  ...insightPages,
  ...clientPages,
  ...buildPages,
  ...settingsPages,
]

/** The entries of the navigation that the role may open. */
export const entriesFor = (role: Role): readonly PageEntry[] =>
  PAGES.filter(({ nav }) => nav && (role === 'owner' || !nav.isForOwners))
