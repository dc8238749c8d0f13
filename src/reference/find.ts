import { rank } from './assets/rank.js'
import type { Page } from './blocks.ts'
import { plainText } from './inline.ts'
import type { ReferenceModel } from './model.ts'

/** An entry of the search index. The browser gets the same list and ranks it in the same way. */
export interface Found {
  title: string
  kind: string
  href: string
  about: string
}

const RESULTS_MAX = 50

export const searchIn = (entries: readonly Found[], question: string): Found[] =>
  rank(entries, question).slice(0, RESULTS_MAX)

/** Everything that has a page: guides, operations, events, codes. */
export function entriesOf(model: ReferenceModel, guides: readonly Page[], errors: readonly Page[]) {
  const page =
    (kind: string) =>
    ({ title, href, description }: Page): Found => ({ title, kind, href, about: description })
  const operations = model.areas.flatMap(({ href, operations }) =>
    operations.map(
      ({ id, method, path, summary }): Found => ({
        title: id,
        kind: method,
        href: `${href}#${id}`,
        about: `${plainText(summary)} ${path}`,
      }),
    ),
  )
  const events = model.events.map(
    ({ type, when }): Found => ({
      title: type,
      kind: 'Event',
      href: `/docs/events/${type}`,
      about: plainText(when),
    }),
  )
  return [...guides.map(page('Guide')), ...operations, ...events, ...errors.map(page('Error'))]
}
