/** HTML that is inserted without escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[]

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

/**
 * A template tag that escapes every inserted value except Html. Lists are joined, and false and undefined are
 * omitted.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const printedTexts = texts.map(
    (text, index) => text + (index < parts.length ? print(parts[index]) : ''),
  )
  return new Html(printedTexts.join(''))
}

function print(part: HtmlPart): string {
  if (part === false || part === undefined) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(print).join('')
  return escapeHtml(String(part))
}
