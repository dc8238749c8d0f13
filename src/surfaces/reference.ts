import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COMPRESSED } from '../http/compression.ts'
import { notFound } from '../kernel/errors.ts'
import { matchesTag } from '../kernel/etag.ts'
import {
  openReference,
  preferredForm,
  type Rendered,
  readAssets,
  siteOf,
} from '../reference/index.ts'
import type { OpenApiDocuments } from './documents.ts'
import type { SurfaceOptions } from './operations.ts'

/** Security headers, which allow only scripts, styles and requests of this origin. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/** Browsers revalidate a page each time, mostly with the answer 304. */
const PAGE_CACHE = 'no-cache'
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const ICON_CACHE = 'public, max-age=86400'
const SEARCH_TEXT_MAX = 100

/** Mounts the page at `/` and the reference at `/docs`. */
export function mountReference(
  server: FastifyInstance,
  documents: OpenApiDocuments,
  { version, storeApiUrl }: Pick<SurfaceOptions, 'version' | 'storeApiUrl'>,
) {
  const assets = readAssets()
  const reference = openReference({
    site: siteOf(storeApiUrl, version),
    documents: async () => ({
      store: await documents.store(),
      security: await documents.security(),
    }),
    assets: assets.folder,
  })
  const serveGet = (
    url: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => unknown,
  ) =>
    server.route({
      method: 'GET',
      url,
      compress: COMPRESSED,
      handler: async (request, reply) => answer(request, reply),
    })

  serveGet('/', (request, reply) => {
    reply.header('vary', 'accept, accept-encoding')
    return send(request, reply, reference.showHome(preferredForm(request.headers.accept)))
  })
  serveGet('/index.md', (request, reply) => send(request, reply, reference.showHome('markdown')))
  serveGet('/llms.txt', async (request, reply) => send(request, reply, await reference.llms()))
  serveGet('/llms-full.txt', async (request, reply) =>
    send(request, reply, await reference.llmsFull()),
  )
  /** Answers with the page as Markdown to programs that prefer it. */
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    reply.header('vary', 'accept, accept-encoding')
    const isMarkdown = preferredForm(request.headers.accept) === 'markdown' && !path.endsWith('.md')
    const page = await reference.show(isMarkdown ? `${path}.md` : path, searchTextOf(request))
    return send(request, reply, page)
  }
  serveGet('/docs', (request, reply) => sendPage(request, reply, '/docs'))
  serveGet('/docs.md', async (request, reply) =>
    send(request, reply, await reference.show('/docs.md')),
  )
  serveGet('/docs/search.json', async (request, reply) =>
    send(request, reply, await reference.suggest(searchTextOf(request))),
  )
  serveGet('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  serveGet('/docs/*', (request, reply) =>
    sendPage(request, reply, `/docs/${(request.params as { '*': string })['*']}`),
  )
  server.get('/favicon.ico', async (_request, reply) => {
    const icon = assets.find('favicon.ico')
    if (!icon) throw notFound('The icon')
    return reply
      .headers({ ...SECURITY_HEADERS, 'content-type': icon.type, 'cache-control': ICON_CACHE })
      .send(icon.bytes)
  })
  serveGet(`${assets.folder}/:name`, (request, reply) => {
    const asset = assets.find((request.params as { name: string }).name)
    if (!asset) throw notFound('The file')
    const headers = {
      ...SECURITY_HEADERS,
      'content-type': asset.type,
      'cache-control': ASSET_CACHE,
    }
    return reply.headers({ vary: 'accept-encoding', ...headers }).send(asset.bytes)
  })
}

/** Returns the search text. If `q` is repeated, the last one is used. */
function searchTextOf({ query }: FastifyRequest): string {
  const searchText = [(query as { q?: string | string[] }).q ?? ''].flat().at(-1) ?? ''
  return searchText.trim().slice(0, SEARCH_TEXT_MAX)
}

function send(request: FastifyRequest, reply: FastifyReply, page: Rendered): FastifyReply {
  const { status, type, body, etag } = page
  reply.headers({ ...SECURITY_HEADERS, etag, 'cache-control': PAGE_CACHE })
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  const strongTag = etag.replace(/^W\//, '')
  const isUnchanged = status === 200 && matchesTag(request.headers['if-none-match'], strongTag)
  if (isUnchanged) return reply.code(304).send()
  return reply.code(status).header('content-type', type).send(body)
}
