/** HTML that is safe to print unescaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | undefined | readonly Part[]

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

/**
 * Escapes every inserted value that is not Html. Lists are joined; false and undefined print
 * nothing.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const printed = texts.map((text, at) => text + (at < parts.length ? print(parts[at]) : ''))
  return new Html(printed.join(''))
}

function print(part: Part): string {
  if (part === false || part === undefined) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(print).join('')
  return escapeHtml(String(part))
}
