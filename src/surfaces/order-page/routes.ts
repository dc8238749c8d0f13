import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import {
  openOrderPage,
  openPageFile,
  type PageAddress,
  payOnPage,
} from '../../features/store/index.ts'
import { type RateLimiter, requireAllowed } from '../../http/rate-limit.ts'
import { type Language, preferredLanguage } from '../../kernel/language.ts'
import { networkOf } from '../../kernel/net.ts'
import { STORE_SLUG } from '../../kernel/slug.ts'
import { pageHeaders } from './frame.ts'
import { notFoundHtml, pageHtml } from './page-html.ts'

/** The maximum number of calls of an IPv4 address or an IPv6 /64 in a minute. */
const CALLS_MAX = 120
/** The pages of buyers have a payment provider asked about one payment at most so often in a minute. */
const QUESTIONS_MAX = 6
/** The maximum number of payments that an address starts in a minute (decision 464). */
const STARTS_MAX = 10
const FILE_ID = /^[1-9]\d{0,14}$/

interface PageRoute {
  Params: { slug: string; token: string; file: string }
}

interface Limits {
  pageCalls: RateLimiter
  paymentQuestions: RateLimiter
}

/** Mounts the pages of the orders of live and test sides, for their buyers (decision 464). */
export function mountOrderPages(server: FastifyInstance, app: App, limits: Limits) {
  mountSide(server, app, limits, '/s/:slug/o/:token')
  mountSide(server, app, limits, '/t/:slug/o/:token')
}

function mountSide(server: FastifyInstance, app: App, limits: Limits, path: string) {
  const livemode = path.startsWith('/s/')
  const headers = pageHeaders(app.config.publicUrl)
  const options = {
    onRequest: async ({ ip }: FastifyRequest) => {
      const allowance = await limits.pageCalls.count(networkOf(ip), CALLS_MAX, app.clock.now())
      requireAllowed(allowance, 'Too many pages were opened from this IP address.')
    },
  }
  const mayAsk = async (paymentId: number) =>
    (await limits.paymentQuestions.count(paymentId, QUESTIONS_MAX, app.clock.now())).allowed
  const addressOf = ({ slug, token }: PageRoute['Params']): PageAddress | undefined =>
    STORE_SLUG.test(slug) ? { livemode, slug, token } : undefined
  async function open(params: PageRoute['Params']) {
    const address = addressOf(params)
    return address && openOrderPage(app, address, { mayAsk })
  }

  server.get<PageRoute>(path, options, async (request, reply) => {
    const page = await open(request.params)
    if (!page) return sendNotFound(request, reply, headers)
    const content = pageHtml(page, request.params.token)
    return reply.headers(headers).send(content)
  })

  server.post<PageRoute>(`${path}/pay`, options, async (request, reply) => {
    const name = `pay ${networkOf(request.ip)}`
    const allowance = await limits.pageCalls.count(name, STARTS_MAX, app.clock.now())
    requireAllowed(allowance, 'Too many payments were started from this IP address.')
    const address = addressOf(request.params)
    const url = address && (await payOnPage(app, address))
    if (url === undefined) return sendNotFound(request, reply, headers)
    // Relative, because a proxy may serve the page below another path.
    return reply.headers(headers).redirect(url ?? `../${request.params.token}`, 303)
  })

  server.get<PageRoute>(`${path}/status`, options, async (request, reply) => {
    const page = await open(request.params)
    if (!page) return sendNotFound(request, reply, headers)
    const { id, status, currency, total_cents, paid_cents, hold, updated_at } = page.order
    const payment = page.open_payment ? { status: page.open_payment.status } : null
    const on_hold = hold !== null
    return reply
      .headers({ ...headers, 'content-type': 'application/json; charset=utf-8' })
      .send({ id, status, currency, total_cents, paid_cents, on_hold, payment, updated_at })
  })

  server.get<PageRoute>(`${path}/files/:file`, options, async (request, reply) => {
    const { file } = request.params
    const address = FILE_ID.test(file) ? addressOf(request.params) : undefined
    const url = address && (await openPageFile(app, address, Number(file)))
    if (url === undefined) return sendNotFound(request, reply, headers)
    return reply.headers(headers).redirect(url, 303)
  })
}

/** A person opens the page, so a wrong address is answered with a page too. */
const sendNotFound = (
  request: FastifyRequest,
  reply: FastifyReply,
  headers: ReturnType<typeof pageHeaders>,
): FastifyReply =>
  reply
    .code(404)
    .headers(headers)
    .send(notFoundHtml(languageOf(request)))

const languageOf = ({ headers }: FastifyRequest): Language =>
  preferredLanguage(headers['accept-language'])
