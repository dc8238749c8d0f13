import type { App } from '../../../app.ts'
import { STORE_SLUG } from '../../../kernel/slug.ts'
import { DAY_MS, SECOND_MS } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'
import { LinkCode } from './schema.ts'

export interface Click {
  /** The landing page; null if the programme names none. */
  landing_url: string | null
  /** The content of the cookie; undefined if the code is not a link of an approved partner. */
  cookie: { code: string; max_age_s: number } | undefined
}

/** Counts a click on a link of a partner (decision 142). Returns undefined if no store has the slug. */
export async function countClick(
  { db }: Pick<App, 'db'>,
  slug: string,
  requestedCode: string,
): Promise<Click | undefined> {
  if (!STORE_SLUG.test(slug)) return undefined
  const { data: code } = LinkCode.safeParse(requestedCode.toLowerCase())
  const target = await q.updateClicks(db, slug, code ?? null)
  if (!target) return undefined
  const { landing_url, cookie_days } = target
  if (cookie_days === null || code === undefined) return { landing_url, cookie: undefined }
  return { landing_url, cookie: { code, max_age_s: (cookie_days * DAY_MS) / SECOND_MS } }
}
