import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { COMPRESSED } from '../../http/compression.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AppFiles } from './app-files.ts'

/** Names of assets contain a hash of their content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const NONCE_BYTES = 16

/** Mounts the files of the built app below `/dashboard/assets`. */
export function mountAppFiles(server: FastifyInstance, files: AppFiles) {
  server.route({
    method: 'GET',
    url: '/dashboard/assets/:name',
    compress: COMPRESSED,
    handler: async (request, reply) => {
      const file = files.find((request.params as { name: string }).name)
      if (!file) throw notFound('The file')
      return reply
        .headers({
          'content-type': file.type,
          'cache-control': ASSET_CACHE,
          'x-content-type-options': 'nosniff',
          vary: 'accept-encoding',
        })
        .send(file.bytes)
    },
  })
}

/**
 * Sends the page of the app. Only its own scripts run. The nonce of this response allows the one style that
 * open dialogs add.
 */
export function sendAppPage(reply: FastifyReply, files: AppFiles, base: string): FastifyReply {
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
    .send(files.pageFor(base, nonce))
}
