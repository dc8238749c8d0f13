import type { Tradepost } from '../harness.ts'

export interface Page {
  path: string
  status: number
  type: string
  text: string
}

export async function visit(tradepost: Tradepost, path: string): Promise<Page> {
  const { statusCode, headers, body } = await tradepost.server.inject({ method: 'GET', url: path })
  return { path, status: statusCode, type: String(headers['content-type']), text: body }
}

const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?:href|src|action|data-index)="([^"]*)"/g)].map(([, href = '']) => href)

/** Every page that can be reached from `/` by links, by its path. */
export async function crawl(tradepost: Tradepost): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  const queue = ['/']
  for (const path of queue) {
    if (pages.has(path)) continue
    const page = await visit(tradepost, path)
    pages.set(path, page)
    if (!page.type.startsWith('text/html')) continue
    for (const href of linksIn(page.text)) {
      const { pathname, origin } = new URL(href, `http://here${path}`)
      if (origin === 'http://here') queue.push(pathname)
    }
  }
  return pages
}

/** Links to a place on a page: the page, and the place. */
export const placesIn = ({ path, text }: Page): { path: string; id: string }[] =>
  linksIn(text)
    .filter((href) => href.includes('#'))
    .map((href) => new URL(href, `http://here${path}`))
    .map(({ pathname, hash }) => ({ path: pathname, id: decodeURIComponent(hash.slice(1)) }))

export const idsIn = ({ text }: Page): string[] =>
  [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

const VOID = new Set(['meta', 'link', 'input', 'br', 'wbr'])

/** Describes a fault in the nesting of tags or the form of attributes; undefined if there is none. */
export function faultIn(html: string): string | undefined {
  const open: string[] = []
  let end = 0
  for (const match of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/g,
  )) {
    const between = html.slice(end, match.index)
    if (end > 0 && /[<>]/.test(between)) return `stray bracket: ${between.slice(0, 80)}`
    end = match.index + match[0].length
    const [, closing, name = ''] = match
    if (VOID.has(name)) continue
    if (!closing) open.push(name)
    else if (open.pop() !== name) return `</${name}> at ${match.index} closes nothing`
  }
  return open.length > 0 ? `not closed: ${open.join(' ')}` : undefined
}
