import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../../kernel/errors.ts'
import type { AppFile, AppFiles } from './app-files.ts'

/** The name of an asset contains a hash of its content, so the content of a name never changes. */
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const NONCE_BYTES = 16

/** Mounts the files of the built app below `/dashboard/assets`. */
export function mountAppFiles(server: FastifyInstance, files: AppFiles) {
  server.route({
    method: 'GET',
    url: '/assets/:name',
    handler: async (request, reply) => {
      const file = files.find((request.params as { name: string }).name)
      if (!file) throw notFound('The file')
      reply.headers({
        'content-type': file.type,
        'cache-control': ASSET_CACHE,
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      })
      return sendFile(reply, file, request.headers['accept-encoding'])
    },
  })
}

/** Mounts the service worker at `/dashboard/worker.js`, because its address limits it to the addresses below. */
export function mountWorker(server: FastifyInstance, { worker }: AppFiles) {
  server.get('/worker.js', async (request, reply) => {
    if (!worker) throw notFound('The file')
    reply.headers({
      'content-type': worker.type,
      // A browser asks for it again at each navigation, and a new one replaces the old one.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    return sendFile(reply, worker, request.headers['accept-encoding'])
  })
}

/** Sends the smallest encoding that the browser accepts. The build has compressed the file. */
function sendFile(
  reply: FastifyReply,
  { bytes, compressedBytes }: AppFile,
  acceptEncoding = '',
): FastifyReply {
  const [encoding, body] =
    [...compressedBytes].find(([name]) => acceptsEncoding(acceptEncoding, name)) ?? []
  if (!encoding) return reply.send(bytes)
  return reply.header('content-encoding', encoding).send(body)
}

/** Returns true if `Accept-Encoding` lists the encoding, except with `q=0`. */
const acceptsEncoding = (acceptEncoding: string, encoding: string): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  })

/**
 * Sends the page of the app. Only scripts of this origin run. The nonce of the response allows the style element
 * that open dialogs add.
 */
export function sendAppPage(
  reply: FastifyReply,
  files: AppFiles,
  { base, isHome }: { base: string; isHome: boolean },
): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .send(files.pageFor({ base, nonce, isHome }))
}
