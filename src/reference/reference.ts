import { createHash } from 'node:crypto'
import type { Page } from './blocks.ts'
import { entriesOf, type Found } from './find.ts'
import { addressOf, markdownHref } from './inline.ts'
import { documentHtml, type Listed } from './layout.ts'
import { type Documents, type ReferenceModel, readModel, type Site } from './model.ts'
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
  addresses(): string[]
  /** The page at a path, as HTML or, with `.md`, as Markdown; otherwise a 404 page. */
  show(path: string, question?: string): Rendered
  /** The page at `/`, in one of three forms. */
  showHome(form: 'html' | 'json' | 'markdown'): Rendered
  llms(): Rendered
  searchIndex(): Rendered
}

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

export interface Options {
  site: Site
  /** Called for the first page of the reference; the page at `/` does not need the documents. */
  documents(): Documents
  /** The path of the folder of styles, scripts and fonts. */
  assets: string
}

/** The reference of this installation. Each page is rendered on first use, and cached. */
export function openReference({ site, documents, assets }: Options): Reference {
  const remember = createMemory()
  let opened: Catalogue | undefined
  const catalogue = (): Catalogue => {
    opened ??= readCatalogue(readModel(site, documents()))
    return opened
  }
  const asHtml = (page: Page, question?: string): Rendered => {
    const { listed } = catalogue()
    return rendered(HTML, documentHtml(page, { site, assets, listed, question }), page.status)
  }
  const asMarkdown = (page: Page): Rendered =>
    rendered(MARKDOWN, pageMarkdown(page, site), page.status)

  return {
    addresses: () => [...catalogue().pages.keys()],
    show(path, question) {
      const { entries, pages } = catalogue()
      if (path === '/docs/search' && question) {
        return asHtml(searchPage(entries, question), question)
      }
      const inMarkdown = path.endsWith('.md')
      const render = inMarkdown ? asMarkdown : asHtml
      const page = pages.get(inMarkdown ? path.slice(0, -'.md'.length) : path)
      return page ? remember(path, () => render(page)) : render(missingPage(path))
    },
    showHome(form) {
      if (form === 'json') return rendered(JSON_TYPE, JSON.stringify(homeJson(site)))
      if (form === 'markdown') return asMarkdown(homePage(site))
      return remember('/', () => rendered(HTML, documentHtml(homePage(site), { site, assets })))
    },
    llms: () => rendered(PLAIN, llmsOf(site, [...catalogue().pages.values()])),
    searchIndex: () => rendered(JSON_TYPE, JSON.stringify(catalogue().entries)),
  }
}

interface Catalogue {
  listed: Listed
  entries: Found[]
  pages: ReadonlyMap<string, Page>
}

function readCatalogue(model: ReferenceModel): Catalogue {
  const [authentication, conventions, ...others] = guidesOf(model)
  const [errorList, ...errors] = errorPagesOf(model)
  const guides = [authentication, conventions, errorList, ...others].filter(
    (page) => page !== undefined,
  )
  const entries = entriesOf(model, guides, errors)
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
