import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/events/types.ts'
import { clientEndpoints } from '../../src/features/licensing/sessions/endpoints.ts'
import { CODES } from '../../src/kernel/errors.ts'
import { securityDownloads, securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { crawl, faultIn, idsIn, type Page, placesIn, visit } from './crawl.ts'

let tradepost: Tradepost
let pages: Map<string, Page>
let docs: Page[]
beforeAll(async () => {
  tradepost = await openTradepost()
  pages = await crawl(tradepost)
  docs = [...pages.values()].filter(({ type }) => type.startsWith('text/html'))
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

  test('every operation stands on exactly one page, at its own id (decision 243)', () => {
    const places = docs.flatMap((page) => idsIn(page))
    const counts = operations.map(({ id }) => [id, places.filter((item) => item === id).length])
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
  })

  test('every error code has a page of its own, with its body and its cure (decision 243)', () => {
    for (const [code, status] of Object.entries(CODES)) {
      const page = pages.get(`/docs/errors/${code}`)
      expect(page?.status, code).toBe(200)
      expect(page?.text, code).toContain(`HTTP ${status}`)
      expect(page?.text, code).toContain(`&quot;${code}&quot;`)
      expect(page?.text, code).toContain('id="cure"')
    }
  })

  test('every type of event has a page of its own, with its sample payload (decision 243)', () => {
    for (const type of EVENT_TYPES) {
      const page = pages.get(`/docs/events/${type}`)
      expect(page?.status, type).toBe(200)
      expect(page?.text, type).toContain(`&quot;${type}&quot;`)
      expect(page?.text, type).toContain('livemode')
    }
  })

  test('an operation shows its permission, its fields with bounds, its errors and samples', () => {
    const { text = '' } = pages.get('/docs/store/orders') ?? {}
    const section = text.slice(text.indexOf('id="orders.create"'), text.indexOf('id="orders.get"'))
    expect(section).toContain('Needs the permission <code>orders:write</code>')
    expect(section).toContain('>NewOrderItem</a>')
    expect(section).toContain('1 to 50 items')
    expect(section).toContain('href="/docs/errors/OUT_OF_STOCK"')
    expect(section).toContain('http://127.0.0.1:4100/v1/orders')
    expect(section).toContain('tradepost.orders.create(')
  })

  test('the runtime calls of client programs are described with their nonce', () => {
    const { text = '' } = pages.get('/docs/security/runtime') ?? {}
    expect(text).toContain('Client-Nonce')
    expect(text).toContain('/security/v1/client/')
  })
})

/** The dashboard redirects to its sign-in, which is no page of the reference. */
const statusOf = (path: string) => (path === '/dashboard' ? 302 : 200)

describe('addresses', () => {
  test('every internal link leads to a page, and every place on it exists', () => {
    const broken = [...pages.values()].filter(({ path, status }) => status !== statusOf(path))
    expect(broken.map(({ path, status }) => `${path} ${status}`)).toEqual([])
    const lost = docs
      .flatMap((page) => placesIn(page))
      .filter(({ path, id }) => !idsIn(pages.get(path) as Page).includes(id))
    expect(lost).toEqual([])
    expect(docs.length).toBeGreaterThan(70)
  })

  test('every page has a Markdown twin at the same address with .md, whose links resolve', async () => {
    for (const { path } of docs) {
      const twin = await visit(tradepost, path === '/' ? '/index.md' : `${path}.md`)
      expect(twin.status, path).toBe(200)
      expect(twin.type, path).toBe('text/markdown; charset=utf-8')
      expect(twin.text, path).toMatch(/^# \S/)
      const hrefs = [...twin.text.matchAll(/\]\((\/[^)#]*)/g)].map(([, href = '']) => href)
      for (const href of new Set(hrefs)) {
        const known = pages.get(href.replace(/^\/index\.md$/, '/').replace(/\.md$/, ''))
        expect(known?.status, `${path}.md → ${href}`).toBe(statusOf(href))
      }
    }
  })

  test('/llms.txt lists every page with its Markdown', async () => {
    const { statusCode, body } = await get('/llms.txt')
    expect(statusCode).toBe(200)
    for (const { path } of docs.filter(({ path }) => path !== '/')) {
      expect(body, path).toContain(`(http://127.0.0.1:4100${path}.md)`)
    }
  })

  test('an address without a page is 404, as a page or as Markdown', async () => {
    const page = await get('/docs/store/nothing')
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('No such page')
    const twin = await get('/docs/errors/NOTHING.md')
    expect(twin.statusCode).toBe(404)
    expect(twin.headers['content-type']).toBe('text/markdown; charset=utf-8')
  })

  test('behind a public address with a path, links begin with that path', async () => {
    const { openReference, siteAt } = await import('../../src/reference/index.ts')
    const { openDocuments } = await import('../../src/surfaces/documents.ts')
    const url = 'https://shop.example.com/trade/v1'
    const documents = openDocuments('1', url)
    const reference = openReference({
      site: siteAt(url, '1'),
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
  test('a browser gets a page with the addresses and one call (decision 240)', async () => {
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

  test('a program that asks for JSON gets the addresses as JSON (decision 240)', async () => {
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
    ['image/png', 'text/html'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const { headers } = await get('/', { accept })
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
  })

  test('/favicon.ico is an icon', async () => {
    const { statusCode, headers, rawPayload } = await get('/favicon.ico')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('image/x-icon')
    expect([...rawPayload.subarray(0, 4)]).toEqual([0, 0, 1, 0])
    expect(rawPayload.length).toBeLessThan(10_000)
  })
})

describe('safety', () => {
  test('every page is well-formed HTML', () => {
    const faults = docs.map(({ path, text }) => [path, faultIn(text)])
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
  })

  test('every page forbids all but our own files, and has no inline script or style (decision 242)', async () => {
    for (const { path, text } of docs) {
      const { headers } = await get(path)
      const policy = String(headers['content-security-policy'])
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
      expect(policy, path).not.toContain('unsafe')
      expect(text, path).not.toMatch(/<style|<script(?! type="module" src=)| style="| on\w+="/)
    }
  })

  test('all scripts together are at most 15 KB (decision 242)', () => {
    const scripts = [...pages.values()].filter(({ type }) => type.startsWith('text/javascript'))
    expect(scripts.length).toBeGreaterThan(0)
    // The modules that the entry imports are not linked from pages, so that their files are counted.
    return import('node:fs').then(({ readdirSync, statSync }) => {
      const folder = new URL('../../src/reference/assets/', import.meta.url)
      const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
      const sizes = names.map((name) => statSync(new URL(name, folder)).size)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(15 * 1024)
    })
  })

  test('a search text is text and never markup', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const { body } = await get(`/docs/search?q=${encodeURIComponent(hostile)}`)
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<img')
    expect(body).toContain('&lt;script&gt;alert(1)')
    expect(faultIn(body)).toBeUndefined()
  })

  test('a description or an example is text and never markup', async () => {
    const { openReference, siteAt } = await import('../../src/reference/index.ts')
    const { openDocuments } = await import('../../src/surfaces/documents.ts')
    const hostile = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) "\''
    const documents = openDocuments('1', 'http://127.0.0.1:4100/v1')
    const text = JSON.stringify(await documents.store())
      .replaceAll('List orders with their items.', JSON.stringify(hostile).slice(1, -1))
      .replaceAll('Photo editor', JSON.stringify(hostile).slice(1, -1))
    const reference = openReference({
      site: siteAt('http://127.0.0.1:4100/v1', '1'),
      documents: async () => ({ store: JSON.parse(text), security: await documents.security() }),
      assets: '/docs/assets/x',
    })
    for (const path of ['/docs/store/orders', '/docs/events/order.created', '/docs/search']) {
      const { body } = await reference.show(path)
      expect(body).not.toMatch(/<img|javascript:alert\(1\)"/)
      expect(faultIn(body), path).toBeUndefined()
    }
  })

  test('the address of the installation is text and never markup', async () => {
    const { openReference, siteAt } = await import('../../src/reference/index.ts')
    const site = siteAt('http://127.0.0.1:4100/"><script>/v1', '<b>1')
    const none = async () => ({ store: {}, security: {} })
    const { body } = openReference({ site, documents: none, assets: '/a' }).showHome('html')
    expect(body).not.toMatch(/<b>|"><script>/)
  })
})

describe('HTTP', () => {
  test('a page that the browser has already is 304 without a body', async () => {
    const first = await get('/docs/store/orders')
    const etag = String(first.headers.etag)
    const again = await get('/docs/store/orders', { 'if-none-match': etag })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    expect(again.headers.etag).toBe(etag)
    expect(first.headers['cache-control']).toBe('no-cache')
  })

  test('HEAD has the headers of GET and no body', async () => {
    const { headers, body, statusCode } = await tradepost.server.inject({
      method: 'HEAD',
      url: '/docs',
    })
    const got = await get('/docs')
    expect(statusCode).toBe(200)
    expect(body).toBe('')
    expect(headers.etag).toBe(got.headers.etag)
    expect(headers['content-length']).toBe(got.headers['content-length'])
  })

  test('styles, scripts and fonts are kept for ever, because their address names their content', async () => {
    const { text = '' } = pages.get('/docs') ?? {}
    const [, style = ''] = /href="([^"]*style\.css)"/.exec(text) ?? []
    const { statusCode, headers } = await get(style)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get(style.replace('style.css', 'tsconfig.json'))).statusCode).toBe(404)
  })

  test('search finds operations, codes and events without a script', async () => {
    const { body } = await get('/docs/search?q=out+of+stock')
    expect(body).toContain('href="/docs/errors/OUT_OF_STOCK"')
    expect(body).toContain('href="/docs/events/product.out_of_stock"')
    const nothing = await get('/docs/search?q=xyzzyplugh')
    expect(nothing.body).toContain('0 results')
    const index = await get('/docs/search.json')
    expect(JSON.parse(index.body).length).toBeGreaterThan(200)
    expect(index.rawPayload.length).toBeLessThan(64 * 1024)
  })
})
