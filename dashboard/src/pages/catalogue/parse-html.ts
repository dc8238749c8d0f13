/** The elements and attributes that the editor of formatted text keeps. Only HTML can hold others, such as a table. */
const FORMATS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'p br strong b em i u s del code pre h1 h2 h3 h4 h5 h6 ul ol li blockquote hr'
      .split(' ')
      .map((name) => [name, []]),
  ),
  a: ['href', 'rel', 'target'],
}

/**
 * Parses HTML without loading or running anything. Styles and handlers get other names first, because the browser
 * reports each of them as a breach of the page's policy, although it does not apply them.
 */
export function parseHtml(html: string): HTMLElement {
  const harmless = html
    .replace(/<(\/?)(style|script)\b/gi, '<$1template')
    .replace(/<[^>]*>/g, (tag) => tag.replace(/([\s"'/])(style|on\w+)(\s*=)/gi, '$1data-$2$3'))
  return new DOMParser().parseFromString(harmless, 'text/html').body
}

/** The names of the elements of HTML that the editor of formatted text would lose, each once. */
export function unknownFormats(html: string): string[] {
  const isUnknown = ({ localName, attributes }: Element) => {
    const known = FORMATS[localName]
    return !known || [...attributes].some(({ name }) => !known.includes(name))
  }
  const elements = [...parseHtml(html).querySelectorAll('*')]
  // Scripts and styles are removed anyway. The cells of a table are named by the table.
  const unknown = elements.filter(
    (element) =>
      element.localName !== 'template' &&
      isUnknown(element) &&
      !(element.parentElement?.closest('body *') && isUnknown(element.parentElement)),
  )
  return [...new Set(unknown.map(({ localName }) => localName))]
}
