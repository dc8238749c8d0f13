import { readdirSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/events/types.ts'
import { clientEndpoints } from '../../src/features/licensing/sessions/endpoints.ts'
import { CODES } from '../../src/kernel/errors.ts'
import { openReference, siteOf } from '../../src/reference/index.ts'
import { openDocuments } from '../../src/surfaces/documents.ts'
import { securityDownloads, securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { crawl, faultIn, fragmentLinksIn, idsIn, type Page, visit } from './crawl.ts'

let tradepost: Tradepost
let pages: Map<string, Page>
let docs: Page[]
beforeAll(async () => {
  tradepost = await openTradepost()
  pages = await crawl(tradepost)
  docs = [...pages.values()].filter(({ contentType }) => contentType.startsWith('text/html'))
})
afterAll(() => tradepost.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  tradepost.server.inject({ method: 'GET', url, headers })

describe('the content of pages', () => {
  const operations = [
    ...storeEndpoints,
    ...securityEndpoints,
    ...securityDownloads,
    ...clientEndpoints,
  ]

  test('every operation is on exactly one page, at the id of the operation', () => {
    const ids = docs.flatMap((page) => idsIn(page))
    const counts = operations.map(({ id }) => [id, ids.filter((item) => item === id).length])
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
  })

  test('every error code has a page with its status, its body and its remedy', () => {
    for (const [code, status] of Object.entries(CODES)) {
      const page = pages.get(`/docs/errors/${code}`)
      expect(page?.status, code).toBe(200)
      expect(page?.text, code).toContain(`HTTP ${status}`)
      expect(page?.text, code).toContain(`&quot;${code}&quot;`)
      expect(page?.text, code).toContain('id="cure"')
    }
  })

  test('every type of event has a page with a sample payload', () => {
    for (const type of EVENT_TYPES) {
      const page = pages.get(`/docs/events/${type}`)
      expect(page?.status, type).toBe(200)
      expect(page?.text, type).toContain(`&quot;${type}&quot;`)
      expect(page?.text, type).toContain('livemode')
    }
  })

  test('an operation has its permission, its fields with limits, its error codes and samples', () => {
    const { text = '' } = pages.get('/docs/store/orders') ?? {}
    const section = text.slice(text.indexOf('id="orders.create"'), text.indexOf('id="orders.get"'))
    expect(section).toContain('Needs the permission <code>orders:write</code>')
    expect(section).toContain('>OrderItemInput</a>')
    expect(section).toContain('1 to 50 items')
    expect(section).toContain('href="/docs/errors/OUT_OF_STOCK"')
    expect(section).toContain('http://127.0.0.1:4100/v1/orders')
    expect(section).toContain('tradepost.orders.create(')
  })

  test('the bound of exact integers is not listed as a limit of ids', () => {
    const bound = `to ${Number.MAX_SAFE_INTEGER}`
    const paths = [...pages].flatMap(([path, { text }]) => (text.includes(bound) ? path : []))
    expect(paths).toEqual([])
  })

  test('`success`, which every answer has and the clients leave out, is neither a field nor a variable of a sample', () => {
    const paths = [...pages].flatMap(([path, { text }]) =>
      /class="name">success<|const \{[^}]*\bsuccess\b/.test(text) ? path : [],
    )
    expect(paths).toEqual([])
  })

  test('the page of the calls of client programs contains the header of the nonce', () => {
    const { text = '' } = pages.get('/docs/security/runtime') ?? {}
    expect(text).toContain('Client-Nonce')
    expect(text).toContain('/security/v1/client/')
  })

  test('/llms.txt names both OpenAPI documents, and the page Authentication says where the client is', async () => {
    const { body } = await get('/llms.txt')
    expect(body).toContain('http://127.0.0.1:4100/openapi.json')
    expect(body).toContain('http://127.0.0.1:4100/security/openapi.json')
    const authentication = await get('/docs/authentication.md')
    expect(authentication.body).toContain('npm pack -w @tradepost/client')
  })

  test('the sample answer about a valid license is consistent', async () => {
    const { body } = await get('/docs/security/runtime.md')
    expect(body).toMatch(/"valid": true,\s+"code": "VALID",\s+"message": "This license is valid."/)
  })
})

/** The dashboard redirects to its sign-in, which is not a page of the reference. */
const statusOf = (path: string) => (path === '/dashboard' ? 302 : 200)

describe('the addresses of pages', () => {
  test('exist for every internal link with its fragment', () => {
    const broken = [...pages.values()].filter(({ path, status }) => status !== statusOf(path))
    expect(broken.map(({ path, status }) => `${path} ${status}`)).toEqual([])
    const brokenFragments = docs
      .flatMap((page) => fragmentLinksIn(page))
      .filter(({ path, id }) => !idsIn(pages.get(path) as Page).includes(id))
    expect(brokenFragments).toEqual([])
    expect(docs.length).toBeGreaterThan(70)
  })

  test('that end in .md answer with the page as Markdown, and the links of that page exist', async () => {
    for (const { path } of docs) {
      const markdownPage = await visit(tradepost, path === '/' ? '/index.md' : `${path}.md`)
      expect(markdownPage.status, path).toBe(200)
      expect(markdownPage.contentType, path).toBe('text/markdown; charset=utf-8')
      expect(markdownPage.text, path).toMatch(/^# \S/)
      const hrefs = [...markdownPage.text.matchAll(/\]\((\/[^)#]*)/g)].map(([, href = '']) => href)
      for (const href of new Set(hrefs)) {
        const linkedPage = pages.get(href.replace(/^\/index\.md$/, '/').replace(/\.md$/, ''))
        expect(linkedPage?.status, `${path}.md → ${href}`).toBe(statusOf(href))
      }
    }
  })

  test('are all listed in /llms.txt, with .md', async () => {
    const { statusCode, body } = await get('/llms.txt')
    expect(statusCode).toBe(200)
    for (const { path } of docs.filter(({ path }) => path !== '/')) {
      expect(body, path).toContain(`(http://127.0.0.1:4100${path}.md)`)
    }
  })

  test('that do not exist are 404, as a page or as Markdown', async () => {
    const page = await get('/docs/store/nothing')
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('No such page')
    const markdownPage = await get('/docs/errors/NOTHING.md')
    expect(markdownPage.statusCode).toBe(404)
    expect(markdownPage.headers['content-type']).toBe('text/markdown; charset=utf-8')
  })

  test('include the path of the public address in links, if it has one', async () => {
    const url = 'https://shop.example.com/trade/v1'
    const documents = openDocuments('1', url)
    const reference = openReference({
      site: siteOf(url, '1'),
      documents: async () => ({
        store: await documents.store(),
        security: await documents.security(),
      }),
      assets: '/docs/assets/x',
    })
    const { body } = await reference.show('/docs')
    const hrefs = [...body.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, href]) => href)
    expect(hrefs.filter((href) => !href?.startsWith('/trade/'))).toEqual([])
    expect((await reference.llms()).body).toContain('(https://shop.example.com/trade/docs.md)')
  })
})

describe('the page at /', () => {
  test('is HTML with the addresses and a sample call for a browser', async () => {
    const { statusCode, headers, body } = await get('/', { accept: 'text/html,*/*;q=0.8' })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers.vary).toContain('accept')
    for (const address of ['/v1', '/security/v1', '/docs']) {
      expect(body).toContain(`http://127.0.0.1:4100${address}<`)
    }
    expect(body).toContain('x-api-key: $TRADEPOST_API_KEY')
    expect(body).toContain('href="/dashboard"')
    expect(body).not.toMatch(/storefront/i)
  })

  test('is JSON with the addresses for a program that accepts JSON', async () => {
    const { headers, body } = await get('/', { accept: 'application/json' })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({
      store_api: 'http://127.0.0.1:4100/v1',
      security_api: 'http://127.0.0.1:4100/security/v1',
      dashboard: 'http://127.0.0.1:4100/dashboard',
      reference: 'http://127.0.0.1:4100/docs',
    })
  })

  test.each([
    ['*/*', 'text/html'],
    ['application/json;q=0.5, text/html', 'text/html'],
    ['text/html;q=0, */*', 'application/json'],
    ['text/markdown', 'text/markdown'],
    ['text/markdown, text/html, */*', 'text/markdown'],
    ['text/html, text/markdown, */*', 'text/html'],
    ['image/png', 'text/html'],
  ])('for the header Accept: %s is %s', async (accept, type) => {
    const { headers } = await get('/', { accept })
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
  })

  test('has an icon at /favicon.ico', async () => {
    const { statusCode, headers, rawPayload } = await get('/favicon.ico')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('image/x-icon')
    expect([...rawPayload.subarray(0, 4)]).toEqual([0, 0, 1, 0])
    expect(rawPayload.length).toBeLessThan(10_000)
  })
})

describe('the HTML of a page', () => {
  test('is well-formed on every page', () => {
    const faults = docs.map(({ path, text }) => [path, faultIn(text)])
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
  })

  test('may load only files of the same server, and has no inline script or style', async () => {
    for (const { path, text } of docs) {
      const { headers } = await get(path)
      const policy = String(headers['content-security-policy'])
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
      expect(policy, path).not.toContain('unsafe')
      expect(text, path).not.toMatch(/<style|<script(?! type="module" src=)| style="| on\w+="/)
    }
  })

  test('loads at most 15 KB of scripts', () => {
    const scripts = [...pages.values()].filter(({ contentType }) =>
      contentType.startsWith('text/javascript'),
    )
    expect(scripts.length).toBeGreaterThan(0)
    // Pages link only the first script, which imports the others. So the files are added up.
    const folder = new URL('../../src/reference/assets/', import.meta.url)
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const sizes = names.map((name) => statSync(new URL(name, folder)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(15 * 1024)
  })

  test('contains a search text as text, never as markup', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const { body } = await get(`/docs/search?q=${encodeURIComponent(hostile)}`)
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<img')
    expect(body).toContain('&lt;script&gt;alert(1)')
    expect(faultIn(body)).toBeUndefined()
  })

  test('contains descriptions and examples as text, never as markup', async () => {
    const hostile = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) "\''
    const documents = openDocuments('1', 'http://127.0.0.1:4100/v1')
    const text = JSON.stringify(await documents.store())
      .replaceAll('List orders with their items.', JSON.stringify(hostile).slice(1, -1))
      .replaceAll('Photo editor', JSON.stringify(hostile).slice(1, -1))
    const reference = openReference({
      site: siteOf('http://127.0.0.1:4100/v1', '1'),
      documents: async () => ({ store: JSON.parse(text), security: await documents.security() }),
      assets: '/docs/assets/x',
    })
    for (const path of ['/docs/store/orders', '/docs/events/order.created', '/docs/search']) {
      const { body } = await reference.show(path)
      expect(body).not.toMatch(/<img|javascript:alert\(1\)"/)
      expect(faultIn(body), path).toBeUndefined()
    }
  })

  test('contains the address of the installation as text, never as markup', async () => {
    const site = siteOf('http://127.0.0.1:4100/"><script>/v1', '<b>1')
    const none = async () => ({ store: {}, security: {} })
    const { body } = openReference({ site, documents: none, assets: '/a' }).showHome('html')
    expect(body).not.toMatch(/<b>|"><script>/)
  })
})

describe('the HTTP answer with a page', () => {
  test('is 304 without a body if the browser has the page', async () => {
    const first = await get('/docs/store/orders')
    const etag = String(first.headers.etag)
    const repeat = await get('/docs/store/orders', { 'if-none-match': etag })
    expect(repeat.statusCode).toBe(304)
    expect(repeat.body).toBe('')
    expect(repeat.headers.etag).toBe(etag)
    expect(first.headers['cache-control']).toBe('no-cache')
  })

  test('to HEAD has the headers of GET and no body', async () => {
    const { headers, body, statusCode } = await tradepost.server.inject({
      method: 'HEAD',
      url: '/docs',
    })
    const getAnswer = await get('/docs')
    expect(statusCode).toBe(200)
    expect(body).toBe('')
    expect(headers.etag).toBe(getAnswer.headers.etag)
    expect(headers['content-length']).toBe(getAnswer.headers['content-length'])
  })

  test('links to styles that are cached permanently, because their address contains a digest', async () => {
    const { text = '' } = pages.get('/docs') ?? {}
    const [, style = ''] = /href="([^"]*style\.css)"/.exec(text) ?? []
    const { statusCode, headers } = await get(style)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get(style.replace('style.css', 'tsconfig.json'))).statusCode).toBe(404)
  })

  test('to a search has the matching error codes and events, without a script', async () => {
    const { body } = await get('/docs/search?q=out+of+stock')
    expect(body).toContain('href="/docs/errors/OUT_OF_STOCK"')
    expect(body).toContain('href="/docs/events/product.out_of_stock"')
    const nothing = await get('/docs/search?q=xyzzyplugh')
    expect(nothing.body).toContain('0 results')
    const slash = await get('/docs/')
    expect([slash.statusCode, slash.headers.location]).toEqual([308, '/docs'])
    const markdown = await get('/docs/search.md?q=xyzzyplugh')
    expect(markdown.body).toContain('No entry has these words.')
    const typed = await get('/docs/search.json?q=order')
    expect(JSON.parse(typed.body)).toHaveLength(12)
    expect(JSON.parse((await get('/docs/search.json')).body)).toEqual([])
  })
})
