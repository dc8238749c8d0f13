import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { type Click, countClick } from '../features/store/index.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import { notFound, Refusal } from '../kernel/errors.ts'
import { neighbourhoodOf } from '../kernel/net.ts'

/** Links that an address, or a /64 of IPv6, may follow in a minute. */
export const CLICKS_MAX = 60

type Asked = FastifyRequest<{ Params: { slug: string; code: string } }>

/**
 * Links of partners. A click is counted and remembered in a cookie, and the visitor is sent on (decision
 * 142). HEAD is not routed, because only a visit counts.
 */
export function mountPartnerLinks(server: FastifyInstance, app: App, clicks: RateLimiter) {
  const options = { exposeHeadRoute: false }
  server.get('/r/:slug/:code', options, async (request: Asked, reply: FastifyReply) => {
    await limit(clicks, request.ip, app.clock.now())
    const { slug, code } = request.params
    const click = await countClick(app, slug, code)
    if (!click) throw notFound('The store')
    const { publicUrl } = app.config
    const { landing_url, remembered } = click
    if (remembered) reply.header('set-cookie', cookieOf(remembered, publicUrl))
    return reply
      .headers({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      .redirect(landing_url ?? `${publicUrl}/`, 302)
  })
}

async function limit(clicks: RateLimiter, ip: string, now: number): Promise<void> {
  const { allowed, retry_after_s } = await clicks.take(neighbourhoodOf(ip), CLICKS_MAX, now)
  if (allowed) return
  const why = 'Too many links were followed from this address; try again later.'
  throw new Refusal('RATE_LIMITED', why, undefined, { 'retry-after': String(retry_after_s) })
}

/** The storefront reads the cookie of the last click, and sends its code with the order. */
const cookieOf = ({ code, max_age_s }: NonNullable<Click['remembered']>, publicUrl: string) =>
  [
    `tp_ref=${code}`,
    `Max-Age=${max_age_s}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
