import { rank } from './assets/rank.js'
import type { ReferencePage } from './blocks.ts'
import { plainText } from './inline.ts'
import type { ReferenceModel } from './model.ts'

/** An entry of the search index. The browser downloads the index, and ranks it with `rank` as the server does. */
export interface SearchEntry {
  title: string
  kind: string
  href: string
  about: string
}

const RESULTS_MAX = 50

export const searchIn = (entries: readonly SearchEntry[], searchText: string): SearchEntry[] =>
  rank(entries, searchText).slice(0, RESULTS_MAX)

/** Returns the entries of all guides, operations, events and error codes. */
export function entriesOf(
  model: ReferenceModel,
  guides: readonly ReferencePage[],
  errors: readonly ReferencePage[],
) {
  const entryOfPage =
    (kind: string) =>
    ({ title, href, description }: ReferencePage): SearchEntry => ({
      title,
      kind,
      href,
      about: description,
    })
  const operations = model.areas.flatMap(({ href, operations }) =>
    operations.map(
      ({ id, method, path, summary }): SearchEntry => ({
        title: id,
        kind: method,
        href: `${href}#${id}`,
        about: `${plainText(summary)} ${path}`,
      }),
    ),
  )
  const events = model.events.map(
    ({ type, summary }): SearchEntry => ({
      title: type,
      kind: 'Event',
      href: `/docs/events/${type}`,
      about: plainText(summary),
    }),
  )
  return [
    ...guides.map(entryOfPage('Guide')),
    ...operations,
    ...events,
    ...errors.map(entryOfPage('Error')),
  ]
}
