import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { STOP_PATH, stopAlerts } from '../features/store/index.ts'
import { notFound } from '../kernel/errors.ts'

type Asked = FastifyRequest<{ Params: { token: string } }>

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/**
 * The page linked from stock alerts. GET changes nothing, because mail scanners open every link.
 * The button, and one-click unsubscribe in mail programs (RFC 8058), send a POST.
 */
export function mountStopMail(server: FastifyInstance, app: App) {
  server.get(`${STOP_PATH}:token`, (_request: Asked, reply: FastifyReply) =>
    show(
      reply,
      'No more mail about stock?',
      `<form method="post"><button>Stop all that I wait for in this store</button></form>`,
    ),
  )
  server.post(`${STOP_PATH}:token`, async (request: Asked, reply: FastifyReply) => {
    if (!(await stopAlerts(app, request.params.token))) throw notFound('The address')
    return show(reply, 'Done', '<p>You get no more mail about stock from this store.</p>')
  })
}

const show = (reply: FastifyReply, title: string, content: string): FastifyReply =>
  reply
    .headers(HEADERS)
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1>${content}</html>`,
    )
