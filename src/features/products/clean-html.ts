import sanitize from 'sanitize-html'
import type { Details } from './schema.ts'

const ALLOWED: sanitize.IOptions = {
  allowedTags: [...sanitize.defaults.allowedTags, 'img', 'del', 'ins'],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'http', 'mailto'],
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'nofollow noopener' }) },
}

/** HTML as it may be shown: no script, no style, no frame, no address but http, https and mailto. */
export const cleanHtml = (html: string): string => sanitize(html, ALLOWED)

/** Details with their HTML cleaned on the way in. */
export const cleanDetails = (details: Partial<Details>): Partial<Details> => ({
  ...details,
  ...(details.description_html && { description_html: cleanHtml(details.description_html) }),
})
