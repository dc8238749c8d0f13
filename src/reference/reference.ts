import { createHash } from 'node:crypto'
import { runInSlices, type Steps } from '../kernel/slices.ts'
import type { ReferencePage } from './blocks.ts'
import { entriesOf, openSearch, type Search } from './find.ts'
import { readGuides } from './guides/guide-files.ts'
import { addressOf, markdownHref } from './inline.ts'
import { documentHtml, type Navigation } from './layout.ts'
import { type Documents, readModel, type Site } from './model.ts'
import { areaPagesOf, eventPagesOf } from './pages/areas.ts'
import { errorPagesOf } from './pages/errors.ts'
import { guidesOf } from './pages/guides.ts'
import { homeJson, homePage, indexPage, missingPage, searchPage } from './pages/start.ts'
import { pageMarkdown } from './render-markdown.ts'

/** The status, media type, body and entity tag of a response. */
export interface Rendered {
  status: number
  type: string
  body: string
  etag: string
}

interface Reference {
  /** Returns the paths of all pages. */
  paths(): Promise<string[]>
  /**
   * Returns the page at a path as HTML, or as Markdown if the path ends with `.md`. For an unknown path, returns
   * a page with the status 404.
   */
  show(path: string, searchText?: string): Promise<Rendered>
  /** Returns the page at `/`. */
  showHome(form: 'html' | 'json' | 'markdown'): Rendered
  llms(): Promise<Rendered>
  /** Returns all pages as one document of Markdown. */
  llmsFull(): Promise<Rendered>
  /** Returns the best entries for a text that is being typed, as JSON. */
  suggest(searchText: string): Promise<Rendered>
}

const RESULTS_MAX = 50
/** The number of results while the reader types. */
const SUGGESTIONS_MAX = 12

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

interface Options {
  site: Site
  /** Called when a page of the reference is first requested; the page at `/` does not need the documents. */
  documents(): Promise<Documents>
  /** The URL path of the styles, scripts and fonts. */
  assets: string
}

/** The reference of this installation. Each page is rendered on first use, and cached. */
export function openReference({ site, documents, assets }: Options): Reference {
  const renderOnce = createPageCache()
  let content: Promise<ReferenceContent> | undefined
  let fullText: Promise<Rendered> | undefined
  const loadContent = (): Promise<ReferenceContent> => {
    content ??= documents().then((openApiDocuments) =>
      runInSlices(readContent(site, openApiDocuments)),
    )
    return content
  }
  const asHtml = (page: ReferencePage, navigation: Navigation, searchText?: string): Rendered =>
    responseOf(HTML, documentHtml(page, { site, assets, navigation, searchText }), page.status)
  const asMarkdown = (page: ReferencePage): Rendered =>
    responseOf(MARKDOWN, pageMarkdown(page, site), page.status)

  return {
    paths: async () => [...(await loadContent()).pages.keys()],
    async show(path, searchText) {
      const { search, pages, navigation } = await loadContent()
      const isMarkdown = path.endsWith('.md')
      if (path.replace(/\.md$/, '') === '/docs/search' && searchText) {
        const page = searchPage(await search.find(searchText, RESULTS_MAX), searchText)
        return isMarkdown ? asMarkdown(page) : asHtml(page, navigation, searchText)
      }
      const render = (page: ReferencePage) =>
        isMarkdown ? asMarkdown(page) : asHtml(page, navigation)
      const page = pages.get(isMarkdown ? path.slice(0, -'.md'.length) : path)
      return page ? renderOnce(path, () => render(page)) : render(missingPage(path))
    },
    showHome(form) {
      if (form === 'json') return responseOf(JSON_TYPE, JSON.stringify(homeJson(site)))
      if (form === 'markdown') return asMarkdown(homePage(site))
      return renderOnce('/', () => responseOf(HTML, documentHtml(homePage(site), { site, assets })))
    },
    llms: async () => responseOf(PLAIN, llmsOf(site, [...(await loadContent()).pages.values()])),
    async llmsFull() {
      const { pages } = await loadContent()
      fullText ??= runInSlices(fullTextSteps(site, [...pages.values()]))
      return fullText
    },
    async suggest(searchText) {
      const { search } = await loadContent()
      const entries = await search.find(searchText, SUGGESTIONS_MAX)
      return responseOf(JSON_TYPE, JSON.stringify(entries))
    },
  }
}

interface ReferenceContent {
  navigation: Navigation
  search: Search
  pages: ReadonlyMap<string, ReferencePage>
}

function* readContent(site: Site, documents: Documents): Steps<ReferenceContent> {
  const model = yield* readModel(site, documents)
  const [authentication, conventions, ...otherGuides] = guidesOf(model)
  yield
  const [errorList, ...errors] = errorPagesOf(model)
  const start = [authentication, conventions, errorList, ...otherGuides].filter(
    (page) => page !== undefined,
  )
  const guides = [...start, ...readGuides()]
  yield
  const search = openSearch(entriesOf(model, guides, errors))
  yield
  const pages = [
    indexPage(model, guides),
    ...guides,
    ...areaPagesOf(model),
    ...eventPagesOf(model),
    ...errors,
    searchPage(search.entries, ''),
  ]
  return {
    navigation: { model, guides },
    search,
    pages: new Map(pages.map((page) => [page.href, page])),
  }
}

function createPageCache() {
  const pages = new Map<string, Rendered>()
  return (name: string, render: () => Rendered): Rendered => {
    const page = pages.get(name) ?? render()
    pages.set(name, page)
    return page
  }
}

/** The length of an entity tag. 22 characters of base64 are 132 bits of the hash. */
const TAG_LENGTH = 22

/** The entity tag is weak, because the same page is sent in several encodings. */
function responseOf(type: string, body: string, status = 200): Rendered {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, TAG_LENGTH)
  return { status, type, body, etag: `W/"${hash}"` }
}

/** Prints all pages but the lists of links, in slices. */
function* fullTextSteps(site: Site, pages: readonly ReferencePage[]): Steps<Rendered> {
  const texts: string[] = []
  for (const page of pages.filter(({ href }) => href !== '/docs' && href !== '/docs/search')) {
    texts.push(pageMarkdown(page, site))
    yield
  }
  return responseOf(PLAIN, texts.join('\n---\n\n'))
}

/** Returns an index for language models, in the format of https://llmstxt.org. */
function llmsOf(site: Site, pages: readonly ReferencePage[]): string {
  const origin = site.publicUrl.slice(0, site.publicUrl.length - site.base.length)
  const line = ({ title, href, description }: ReferencePage) =>
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
    `The Store API is at ${site.publicUrl}/v1, and the Client Security API at ${site.publicUrl}/security/v1. As OpenAPI 3.1: ${site.publicUrl}/openapi.json and ${site.publicUrl}/security/openapi.json. All pages in one: ${site.publicUrl}/llms-full.txt.`,
    section('Guides', (href) => !isArea(href) && !isEvent(href) && !isError(href)),
    section('Operations', isArea),
    section('Webhook events', isEvent),
    `${section('Errors', isError)}\n`,
  ].join('\n\n')
}
