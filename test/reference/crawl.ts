import type { Tradepost } from '../harness.ts'

export interface Page {
  path: string
  status: number
  contentType: string
  text: string
}

export async function visit(tradepost: Tradepost, path: string): Promise<Page> {
  const { statusCode, headers, body } = await tradepost.server.inject({ method: 'GET', url: path })
  return { path, status: statusCode, contentType: String(headers['content-type']), text: body }
}

const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?:href|src|action|data-index)="([^"]*)"/g)].map(([, href = '']) => href)

/** Returns every page that is reachable from `/` by links, by its path. */
export async function crawl(tradepost: Tradepost): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  const queue = ['/']
  // The loop also visits the paths that it appends.
  for (const path of queue) {
    if (pages.has(path)) continue
    const page = await visit(tradepost, path)
    pages.set(path, page)
    if (!page.contentType.startsWith('text/html')) continue
    for (const href of linksIn(page.text)) {
      const { pathname, origin } = new URL(href, `http://here${path}`)
      if (origin === 'http://here') queue.push(pathname)
    }
  }
  return pages
}

/** Returns the targets of the links to a fragment. */
export const fragmentLinksIn = ({ path, text }: Page): { path: string; id: string }[] =>
  linksIn(text)
    .filter((href) => href.includes('#'))
    .map((href) => new URL(href, `http://here${path}`))
    .map(({ pathname, hash }) => ({ path: pathname, id: decodeURIComponent(hash.slice(1)) }))

export const idsIn = ({ text }: Page): string[] =>
  [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

const VOID_ELEMENTS = new Set(['meta', 'link', 'input', 'br', 'wbr'])

/** Returns the first fault in the nesting of tags or the form of attributes, if there is one. */
export function faultIn(html: string): string | undefined {
  const openElements: string[] = []
  let end = 0
  for (const match of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/g,
  )) {
    const between = html.slice(end, match.index)
    if (end > 0 && /[<>]/.test(between)) return `stray bracket: ${between.slice(0, 80)}`
    end = match.index + match[0].length
    const [, closing, name = ''] = match
    if (VOID_ELEMENTS.has(name)) continue
    if (!closing) openElements.push(name)
    else if (openElements.pop() !== name)
      return `</${name}> at ${match.index} closes no open element`
  }
  return openElements.length > 0 ? `not closed: ${openElements.join(' ')}` : undefined
}
