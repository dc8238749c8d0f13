import { createHash } from 'node:crypto'
import { runInSlices, type Steps } from '../kernel/slices.ts'
import type { Page } from './blocks.ts'
import { entriesOf, type Found } from './find.ts'
import { addressOf, markdownHref } from './inline.ts'
import { documentHtml, type Listed } from './layout.ts'
import { type Documents, readModel, type Site } from './model.ts'
import { areaPagesOf, eventPagesOf } from './pages/areas.ts'
import { errorPagesOf } from './pages/errors.ts'
import { guidesOf } from './pages/guides.ts'
import { homeJson, homePage, indexPage, missingPage, searchPage } from './pages/start.ts'
import { pageMarkdown } from './render-markdown.ts'

/** A rendered response: bytes, their type, and an entity tag. */
export interface Rendered {
  status: number
  type: string
  body: string
  etag: string
}

export interface Reference {
  /** Paths of all pages below `/docs`. */
  addresses(): Promise<string[]>
  /** The page at a path, as HTML or, with `.md` behind it, as Markdown; else the page for 404. */
  show(path: string, question?: string): Promise<Rendered>
  /** The page at `/`, in one of three forms. */
  showHome(form: 'html' | 'json' | 'markdown'): Rendered
  llms(): Promise<Rendered>
  searchIndex(): Promise<Rendered>
}

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

export interface Options {
  site: Site
  /** Printed when a page of the reference is first asked for; the page at `/` needs none. */
  documents(): Promise<Documents>
  /** The folder of styles, scripts and fonts, from the root on. */
  assets: string
}

/** The reference of this installation. Each page is rendered on first use, and cached. */
export function openReference({ site, documents, assets }: Options): Reference {
  const remember = createMemory()
  let opened: Promise<Catalogue> | undefined
  const catalogue = (): Promise<Catalogue> => {
    opened ??= documents().then((printed) => runInSlices(readCatalogue(site, printed)))
    return opened
  }
  const asHtml = (page: Page, listed: Listed, question?: string): Rendered =>
    rendered(HTML, documentHtml(page, { site, assets, listed, question }), page.status)
  const asMarkdown = (page: Page): Rendered =>
    rendered(MARKDOWN, pageMarkdown(page, site), page.status)

  return {
    addresses: async () => [...(await catalogue()).pages.keys()],
    async show(path, question) {
      const { entries, pages, listed } = await catalogue()
      if (path === '/docs/search' && question) {
        return asHtml(searchPage(entries, question), listed, question)
      }
      const inMarkdown = path.endsWith('.md')
      const render = (page: Page) => (inMarkdown ? asMarkdown(page) : asHtml(page, listed))
      const page = pages.get(inMarkdown ? path.slice(0, -'.md'.length) : path)
      return page ? remember(path, () => render(page)) : render(missingPage(path))
    },
    showHome(form) {
      if (form === 'json') return rendered(JSON_TYPE, JSON.stringify(homeJson(site)))
      if (form === 'markdown') return asMarkdown(homePage(site))
      return remember('/', () => rendered(HTML, documentHtml(homePage(site), { site, assets })))
    },
    llms: async () => rendered(PLAIN, llmsOf(site, [...(await catalogue()).pages.values()])),
    searchIndex: async () => rendered(JSON_TYPE, JSON.stringify((await catalogue()).entries)),
  }
}

interface Catalogue {
  listed: Listed
  entries: Found[]
  pages: ReadonlyMap<string, Page>
}

function* readCatalogue(site: Site, printed: Documents): Steps<Catalogue> {
  const model = yield* readModel(site, printed)
  const [authentication, conventions, ...others] = guidesOf(model)
  yield
  const [errorList, ...errors] = errorPagesOf(model)
  const guides = [authentication, conventions, errorList, ...others].filter(
    (page) => page !== undefined,
  )
  yield
  const entries = entriesOf(model, guides, errors)
  yield
  const pages = [
    indexPage(model, guides),
    ...guides,
    ...areaPagesOf(model),
    ...eventPagesOf(model),
    ...errors,
    searchPage(entries, ''),
  ]
  return {
    listed: { model, guides },
    entries,
    pages: new Map(pages.map((page) => [page.href, page])),
  }
}

function createMemory() {
  const kept = new Map<string, Rendered>()
  return (name: string, render: () => Rendered): Rendered => {
    const cached = kept.get(name)
    if (cached) return cached
    const page = render()
    kept.set(name, page)
    return page
  }
}

/** The tag is weak, because the same page may be sent in several encodings. */
function rendered(type: string, body: string, status = 200): Rendered {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { status, type, body, etag: `W/"${hash}"` }
}

/** An index for language models, as described at https://llmstxt.org. */
function llmsOf(site: Site, pages: readonly Page[]): string {
  const origin = site.publicUrl.slice(0, site.publicUrl.length - site.base.length)
  const line = ({ title, href, description }: Page) =>
    `- [${title}](${origin}${addressOf(markdownHref(href), site)}): ${description}`
  const section = (title: string, isIn: (href: string) => boolean) =>
    `## ${title}\n\n${pages
      .filter(({ href }) => isIn(href))
      .map(line)
      .join('\n')}`
  const isArea = (href: string) => /^\/docs\/(store|security)\//.test(href)
  const isEvent = (href: string) => href.startsWith('/docs/events/')
  const isError = (href: string) => href.startsWith('/docs/errors/')
  return [
    '# Tradepost',
    '> A self-hosted store backend: products, stock, orders, payments and signed webhooks behind one HTTP API.',
    `The Store API is at ${site.publicUrl}/v1, the Client Security API at ${site.publicUrl}/security/v1.`,
    section('Guides', (href) => !isArea(href) && !isEvent(href) && !isError(href)),
    section('Operations', isArea),
    section('Webhook events', isEvent),
    `${section('Errors', isError)}\n`,
  ].join('\n\n')
}
