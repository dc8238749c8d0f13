import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COMPRESSED } from '../http/compression.ts'
import { notFound } from '../kernel/errors.ts'
import { knowsTag } from '../kernel/etag.ts'
import {
  openReference,
  preferredForm,
  type Rendered,
  readAssets,
  siteAt,
} from '../reference/index.ts'
import type { OpenApiDocuments } from './documents.ts'
import type { Operations } from './operations.ts'

/** Allows only our own scripts and styles, and no requests to other servers (decision 242). */
const SAFE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/** Browsers revalidate the page each time; the answer is mostly 304. */
const PAGE_CACHE = 'no-cache'
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const ICON_CACHE = 'public, max-age=86400'
const QUESTION_LENGTH_MAX = 100

/** The page at `/`, and the reference at `/docs` (decision 240). */
export function mountReference(
  server: FastifyInstance,
  documents: OpenApiDocuments,
  { version, storeApiUrl }: Pick<Operations, 'version' | 'storeApiUrl'>,
) {
  const assets = readAssets()
  const reference = openReference({
    site: siteAt(storeApiUrl, version),
    documents: async () => ({
      store: await documents.store(),
      security: await documents.security(),
    }),
    assets: assets.folder,
  })
  const get = (url: string, answer: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    server.route({
      method: 'GET',
      url,
      compress: COMPRESSED,
      handler: async (...call) => answer(...call),
    })

  get('/', (request, reply) => {
    reply.header('vary', 'accept, accept-encoding')
    return send(request, reply, reference.showHome(preferredForm(request.headers.accept)))
  })
  get('/index.md', (request, reply) => send(request, reply, reference.showHome('markdown')))
  get('/llms.txt', async (request, reply) => send(request, reply, await reference.llms()))
  get('/docs', async (request, reply) => send(request, reply, await reference.show('/docs')))
  get('/docs.md', async (request, reply) => send(request, reply, await reference.show('/docs.md')))
  get('/docs/search.json', async (request, reply) =>
    send(request, reply, await reference.searchIndex()),
  )
  get('/docs/*', async (request, reply) => {
    const path = `/docs/${(request.params as { '*': string })['*']}`
    return send(request, reply, await reference.show(path, questionOf(request)))
  })
  server.get('/favicon.ico', async (_request, reply) => {
    const icon = assets.find('favicon.ico')
    if (!icon) throw notFound('The icon')
    return reply
      .headers({ 'content-type': icon.type, 'cache-control': ICON_CACHE })
      .send(icon.bytes)
  })
  get(`${assets.folder}/:name`, (request, reply) => {
    const asset = assets.find((request.params as { name: string }).name)
    if (!asset) throw notFound('The file')
    const headers = { ...SAFE, 'content-type': asset.type, 'cache-control': ASSET_CACHE }
    return reply.headers({ vary: 'accept-encoding', ...headers }).send(asset.bytes)
  })
}

/** If `q` is repeated, the last one counts. */
function questionOf({ query }: FastifyRequest): string {
  const question = [(query as { q?: string | string[] }).q ?? ''].flat().at(-1) ?? ''
  return question.trim().slice(0, QUESTION_LENGTH_MAX)
}

function send(request: FastifyRequest, reply: FastifyReply, page: Rendered): FastifyReply {
  const { status, type, body, etag } = page
  reply.headers({ ...SAFE, etag, 'cache-control': PAGE_CACHE })
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  const unchanged = status === 200 && knowsTag(request.headers['if-none-match'], etag.slice(2))
  if (unchanged) return reply.code(304).send()
  return reply.code(status).header('content-type', type).send(body)
}
