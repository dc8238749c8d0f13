import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { type Click, countClick } from '../features/store/index.ts'
import { type RateLimiter, requireAllowed } from '../http/rate-limit.ts'
import { notFound } from '../kernel/errors.ts'
import { networkOf } from '../kernel/net.ts'

/** The maximum number of clicks of an IPv4 address or an IPv6 /64 in a minute. */
export const CLICKS_MAX = 60

type LinkRequest = FastifyRequest<{ Params: { slug: string; code: string } }>

/**
 * Mounts the links of partners. A click is counted and redirected, with a cookie that has the code of the link
 * (decision 142). HEAD has no route, because it is not a click.
 */
export function mountPartnerLinks(server: FastifyInstance, app: App, clickLimiter: RateLimiter) {
  const options = { exposeHeadRoute: false }
  server.get('/r/:slug/:code', options, async (request: LinkRequest, reply: FastifyReply) => {
    const allowance = await clickLimiter.count(networkOf(request.ip), CLICKS_MAX, app.clock.now())
    requireAllowed(allowance, 'Too many links were followed from this IP address. Try again later.')
    const { slug, code } = request.params
    const click = await countClick(app, slug, code)
    if (!click) throw notFound('The store')
    const { publicUrl } = app.config
    const { landing_url, cookie } = click
    if (cookie) reply.header('set-cookie', cookieOf(cookie, publicUrl))
    return reply
      .headers({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      })
      .redirect(landing_url === null ? `${publicUrl}/` : asciiUrl(landing_url), 302)
  })
}

/** A header can hold ASCII only, and a landing URL is stored as it was written, such as `https://bücher.example/größe`. */
const asciiUrl = (url: string): string => new URL(url).href

/** The storefront reads the cookie and sends its code with the order. */
const cookieOf = ({ code, max_age_s }: NonNullable<Click['cookie']>, publicUrl: string) =>
  [
    `tp_ref=${code}`,
    `Max-Age=${max_age_s}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
