import type sanitize from 'sanitize-html'
import { invalid } from '../../../kernel/errors.ts'
import { problemOfHtml } from './html.rules.ts'
import { HTML_MAX, type ProductDetails } from './schema.ts'

const ALLOWED: sanitize.IOptions = {
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'http', 'mailto'],
}

/** Loads the HTML cleaner. A server does this when it is ready, because loading is slow (decision 451). */
export const loadCleaner = () => import('sanitize-html')

/** Removes scripts, styles, frames, and all URLs except http, https and mailto. */
async function cleanHtml(html: string): Promise<string> {
  const { default: sanitizeHtml } = await loadCleaner()
  return sanitizeHtml(html, {
    ...ALLOWED,
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'del', 'ins'],
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noopener' }) },
  })
}

/**
 * Returns details with their HTML cleaned. The HTML is null if nothing of it remains (decision 28).
 * `fieldPath` is the path of the details for errors, with a
 * dot at its end. The size is checked before cleaning (decision 120) and after it:
 * cleaning adds missing tags and entities, and the API would not accept a larger text in an update.
 */
export async function cleanDetails(
  details: Partial<ProductDetails>,
  fieldPath: string,
): Promise<Partial<ProductDetails>> {
  if (!details.description_html) return details
  refuseProblem(fieldPath, problemOfHtml(details.description_html))
  const description_html = await cleanHtml(details.description_html)
  const { length } = [...description_html]
  if (length > HTML_MAX) {
    const message = `Write at most ${HTML_MAX} characters; with all its tags closed this has ${length}.`
    refuseProblem(fieldPath, message)
  }
  refuseProblem(fieldPath, problemOfHtml(description_html))
  return { ...details, description_html: description_html || null }
}

function refuseProblem(fieldPath: string, problem: string | undefined) {
  if (problem) throw invalid(`${fieldPath}description_html`, problem)
}
