import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { openTestPage, payOnTestPage, type TestPage } from '../features/store/index.ts'
import { type RateLimiter, requireAllowed } from '../http/rate-limit.ts'
import { formatMoney } from '../kernel/language.ts'
import { networkOf } from '../kernel/net.ts'
import { STORE_SLUG } from '../kernel/slug.ts'
import { type Html, html } from '../reference/index.ts'

/** The maximum number of calls of an IPv4 address or an IPv6 /64 in a minute. */
const CALLS_MAX = 120
const TOKEN = /^[0-9A-Za-z]{32}$/

interface PageRoute {
  Params: { slug: string; token: string }
}

/** Mounts the page of the payment provider `test`, on which a person pays an order of a test side. */
export function mountTestPaymentPage(server: FastifyInstance, app: App, pageCalls: RateLimiter) {
  const path = '/t/:slug/pay/:token'
  const options = {
    onRequest: async ({ ip }: FastifyRequest) => {
      const allowance = await pageCalls.count(networkOf(ip), CALLS_MAX, app.clock.now())
      requireAllowed(allowance, 'Too many pages were opened from this IP address.')
    },
  }
  server.get<PageRoute>(path, options, async (request, reply) => {
    const { slug, token } = request.params
    const page = isAddress(request.params) ? await openTestPage(app, slug, token) : undefined
    if (!page) return sendNotFound(reply)
    return reply.headers(HEADERS).send(pageHtml(page))
  })
  server.post<PageRoute>(path, options, async (request, reply) => {
    const { slug, token } = request.params
    const action = actionIn(request.body)
    const isFound = isAddress(request.params) && (await payOnTestPage(app, { slug, token, action }))
    if (!isFound) return sendNotFound(reply)
    // Relative, because a proxy may serve the page below another path.
    return reply.headers(HEADERS).redirect(token, 303)
  })
}

/** A person opens the page, so a wrong address is answered with a page too. */
const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).headers(HEADERS).send(NOT_FOUND)

const isAddress = ({ slug, token }: PageRoute['Params']): boolean =>
  STORE_SLUG.test(slug) && TOKEN.test(token)

/** Returns the action of the button that was pressed. */
function actionIn(body: unknown): 'pay' | 'decline' | undefined {
  const pressed = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '').get('do')
  return pressed === 'pay' || pressed === 'decline' ? pressed : undefined
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 10vh auto; padding: 0 1rem }
p.note { border: 1px solid #b45309; border-radius: .5rem; padding: .5rem .75rem }
p.amount { font-size: 2rem; margin: .5rem 0 }
form { display: grid; gap: .75rem }
button, a.button { font: inherit; min-height: 2.75rem; border-radius: .5rem; border: 1px solid #6b7280; background: transparent;
  color: inherit; cursor: pointer; display: grid; place-items: center; text-decoration: none }
button.primary { background: #1d4ed8; border-color: #1d4ed8; color: #fff }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

const STATES: Record<TestPage['payment']['status'], string> = {
  open: '',
  processing: 'Your payment is being processed.',
  paid: 'Paid. Thank you.',
  failed: 'The payment was declined. Start another one in the shop.',
  expired: 'This page has expired. Start another payment in the shop.',
  ended: 'This payment was cancelled. Start another one in the shop.',
}

function pageHtml({ store_name, order_number, payment }: TestPage): string {
  const { status, amount_cents, currency, return_url } = payment
  const isSetUp = amount_cents === 0
  const state = isSetUp && status === 'paid' ? SAVED : STATES[status]
  return layout(
    isSetUp ? `Save a card for ${store_name}` : `Pay ${store_name}`,
    html`<p>Order ${order_number}</p>
${isSetUp ? html`<p>Your card pays the renewals. Nothing is charged now.</p>` : html`<p class="amount">${formatMoney(amount_cents, currency, 'en')}</p>`}
${status === 'open' ? formHtml(isSetUp ? 'Save the card' : 'Pay') : html`<p role="status">${state}</p>`}
${status !== 'open' && return_url !== null && html`<p><a class="button" href="${return_url}">Back to ${store_name}</a></p>`}`,
  )
}

/** Returns the page with its frame, which says that no money moves. */
const layout = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<main><p class="note">This is a test. No money moves.</p>
<h1>${title}</h1>${content}
</main></html>`.text

const NOT_FOUND = layout(
  'This payment does not exist',
  html`<p>The address is wrong or not complete. Open the link again, or start another payment in the shop.</p>`,
)

const SAVED = 'Your card is saved. Thank you.'

const formHtml = (label: string): Html => html`<form method="post">
<button class="primary" name="do" value="pay">${label}</button>
<button name="do" value="decline">Decline</button></form>`
