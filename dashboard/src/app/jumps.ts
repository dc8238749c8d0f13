import { linkPathOf } from '../kit/page-entry.ts'
import { PAGES } from './pages.ts'

/** The pages that open with `g` and a letter, such as `g o`. */
export const JUMPS = PAGES.flatMap(({ path, nav }) =>
  nav?.key ? [{ key: nav.key, label: nav.label, to: linkPathOf({ path }) }] : [],
)
