import type sanitize from 'sanitize-html'
import { invalid } from '../../../kernel/errors.ts'
import { whyTooLarge } from './html.rules.ts'
import { type Details, HTML_MAX } from './schema.ts'

const ALLOWED: sanitize.IOptions = {
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'http', 'mailto'],
}

/** A server loads it before it listens: loading it takes longer than a call may hold up others (decision 247). */
export const loadCleaner = () => import('sanitize-html')

/** HTML as it may be shown: no script, no style, no frame, no address but http, https and mailto. */
async function cleanHtml(html: string): Promise<string> {
  const { default: sanitizeHtml } = await loadCleaner()
  return sanitizeHtml(html, {
    ...ALLOWED,
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'del', 'ins'],
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noopener' }) },
  })
}

/**
 * Details with their HTML cleaned; undefined if no text is left (decision 28). The size is checked
 * before (decision 120), and again after: cleaning adds missing tags and entities, and a larger
 * text could not be sent back.
 */
export async function cleanDetails(
  details: Partial<Details>,
  at: string,
): Promise<Partial<Details>> {
  if (!details.description_html) return details
  refuse(at, whyTooLarge(details.description_html))
  const description_html = await cleanHtml(details.description_html)
  const { length } = [...description_html]
  if (length > HTML_MAX) {
    const limit = `Write at most ${HTML_MAX} characters`
    refuse(at, `${limit}; with all its tags closed this has ${length}.`)
  }
  refuse(at, whyTooLarge(description_html))
  return { ...details, description_html: description_html || null }
}

function refuse(at: string, why: string | undefined) {
  if (why) throw invalid(`${at}description_html`, why)
}
