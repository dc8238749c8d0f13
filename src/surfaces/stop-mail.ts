import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { STOP_PATH, stopAlerts } from '../features/store/index.ts'
import { notFound } from '../kernel/errors.ts'

type StopRequest = FastifyRequest<{ Params: { token: string } }>

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/**
 * Mounts the page to which stock alerts link. GET changes nothing, because mail scanners open every link. The
 * button and the one-click unsubscribe of mail programs (RFC 8058) send a POST.
 */
export function mountStopMail(server: FastifyInstance, app: App) {
  server.get(`${STOP_PATH}:token`, (_request: StopRequest, reply: FastifyReply) =>
    show(
      reply,
      'Stop stock alerts?',
      `<form method="post"><button>Stop all my stock alerts of this store</button></form>`,
    ),
  )
  server.post(`${STOP_PATH}:token`, async (request: StopRequest, reply: FastifyReply) => {
    if (!(await stopAlerts(app, request.params.token))) throw notFound('The address')
    return show(reply, 'Stock alerts stopped', '<p>This store sends you no more stock alerts.</p>')
  })
}

const show = (reply: FastifyReply, title: string, content: string): FastifyReply =>
  reply
    .headers(HEADERS)
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1>${content}</html>`,
    )
