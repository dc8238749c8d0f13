import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openLink, userEndpoints } from '../../features/installation/index.ts'
import { Refusal } from '../../kernel/errors.ts'
import { type Html, html, readAssets } from '../../reference/index.ts'
import type { AuthenticationContext } from '../store-authentication.ts'
import { type AppFiles, readAppFiles } from './app-files.ts'
import { mountAppFiles, sendAppPage } from './app-page.ts'
import { setCookies } from './cookies.ts'
import { admit, callOf } from './dashboard-api.ts'
import { checkHttps, sessionOf } from './dashboard-authentication.ts'

/** With `no-referrer` browsers would send no origin with a form, and the form would be refused. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // The only script is that of passkeys, on the sign-in page.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

type Asked = FastifyRequest<{
  Querystring: { token?: string | string[]; store?: string | string[] }
}>

interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text' | 'hidden'
  autocomplete?: string
  optional?: boolean
  value?: string
}

interface Form {
  title: string
  lead: string
  button: string
  /** The endpoint that takes the fields. */
  endpoint: string
  fields: readonly Field[]
}

const PASSWORD: Field = { name: 'password', label: 'Password', type: 'password' }
const CODE: Field = {
  name: 'code',
  label: 'Code, if your account needs one',
  type: 'text',
  autocomplete: 'one-time-code',
  optional: true,
}
const NEW_PASSWORD: Field = {
  ...PASSWORD,
  label: 'New password, at least 8 characters',
  autocomplete: 'new-password',
}

const FORMS: Readonly<Record<string, Form>> = {
  '/dashboard/sign-in': {
    title: 'Sign in',
    lead: 'An operator of this server can print a link: npx tradepost dashboard.',
    button: 'Sign in',
    endpoint: 'users.sign_in',
    fields: [
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
      { ...PASSWORD, autocomplete: 'current-password' },
      CODE,
    ],
  },
  '/dashboard/password': {
    title: 'Set a password',
    lead: 'You need one to change keys, secrets and the team, and to sign in again.',
    button: 'Set the password',
    endpoint: 'users.set_password',
    fields: [NEW_PASSWORD],
  },
  '/dashboard/reset-password': {
    title: 'Set a new password',
    lead: 'Your other sessions end.',
    button: 'Set the password and sign in',
    endpoint: 'users.confirm_reset',
    fields: [NEW_PASSWORD, CODE],
  },
  '/dashboard/invitation': {
    title: 'Accept the invitation',
    lead: 'If you have an account already, sign in first and leave the fields empty.',
    button: 'Accept',
    endpoint: 'users.accept_invitation',
    fields: [
      { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', optional: true },
      { ...NEW_PASSWORD, optional: true },
    ],
  },
}

/**
 * The app, and the pages outside of it: sign-in, a password, an invitation. Those need no script; their forms
 * call the endpoints of the private API.
 */
export function mountDashboardPages(server: FastifyInstance, auth: AuthenticationContext) {
  const { publicUrl } = auth.app.config
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const files = readAppFiles()
  const site = { auth, base, folder: readAssets().folder, files }
  if (files) mountAppFiles(server, files)
  for (const [path, form] of Object.entries(FORMS)) mountForm(server, site, path, form)
  const store = '/dashboard/:store_hash(^[0-9A-Za-z]{12}$)'
  for (const path of ['/dashboard', store, `${store}/*`]) {
    server.get(path, (request, reply) => showApp(site, request, reply))
  }
  server.get('/dashboard/', (_, reply) => reply.redirect(`${base}/dashboard`))
  server.post('/dashboard/sign-out', async (request, reply) => {
    await call(site, 'users.sign_out', {}, { request, reply })
    return reply.redirect(`${base}/dashboard/sign-in`, 303)
  })
}

interface DashboardSite {
  auth: AuthenticationContext
  /** The path of the public address. */
  base: string
  /** The folder of styles. */
  folder: string
  /** Undefined if the program runs from its source. */
  files: AppFiles | undefined
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

function mountForm(server: FastifyInstance, site: DashboardSite, path: string, form: Form) {
  server.route({
    method: 'GET',
    url: path,
    exposeHeadRoute: false,
    handler: async (request: Asked, reply) => {
      const token = tokenOf(request)
      return token !== '' && path === '/dashboard/sign-in'
        ? signInByLink(site, { request, reply }, { token, store: hashOf(request) })
        : show(site, reply, { title: form.title, content: formPage(site, form, { token }) })
    },
  })
  server.post(path, async (request: Asked, reply) => {
    const fields = fieldsOf(request.body)
    try {
      await call(site, form.endpoint, fields, { request, reply })
    } catch (error) {
      return refuse(site, reply, form, { error, token: fields.token ?? '' })
    }
    return reply.redirect(`${site.base}/dashboard`, 303)
  })
}

const show = (
  { base, folder }: DashboardSite,
  reply: FastifyReply,
  { title, content, status = 200 }: { title: string; content: Html; status?: number },
) => reply.code(status).headers(HEADERS).send(pageHtml({ title, content, base, folder }))

/** Shows the form again, with what is wrong. */
function refuse(
  site: DashboardSite,
  reply: FastifyReply,
  form: Form,
  { error, token }: { error: unknown; token: string },
) {
  if (!(error instanceof Refusal)) throw error
  const field = error.details?.field
  const why = typeof field === 'string' ? `${field}: ${error.message}` : error.message
  const content = formPage(site, form, { token, why })
  return show(site, reply, { title: form.title, content, status: error.status })
}

async function call(
  { auth }: DashboardSite,
  id: string,
  fields: Record<string, string>,
  { request, reply }: Exchange,
): Promise<void> {
  const e = userEndpoints.find((item) => item.id === id)
  if (!e) throw new Error(`${id} is no endpoint.`)
  const session = await admit(auth, e, request, reply)
  const body = Buffer.from(JSON.stringify(fields))
  await callOf(e, request, reply, { app: auth.app, session, body })
}

/** Signs in by a link, and opens the store that it names, or else the user's first. */
async function signInByLink(
  site: DashboardSite,
  { request, reply }: Exchange,
  { token, store }: { token: string; store: string | undefined },
) {
  const { base, auth } = site
  const { app } = auth
  checkHttps(app)
  const user_agent = request.headers['user-agent'] ?? ''
  const opened = await openLink(app, { ip: request.ip, user_agent, device: undefined }, token)
  if (!opened) {
    const content = html`<p>This link was used before, or is older than an hour. An operator prints another one with <code>npx tradepost dashboard</code>.</p><p><a href="${base}/dashboard/sign-in">Sign in with a password</a></p>`
    return show(site, reply, { title: 'This link has ended', content, status: 404 })
  }
  setCookies(reply, app.config.publicUrl, opened.cookies)
  const hash = store ?? opened.store
  const path = hash === undefined ? '' : `/${hash}`
  return reply.redirect(`${base}/dashboard${path}`, 302)
}

async function showApp(site: DashboardSite, request: FastifyRequest, reply: FastifyReply) {
  const { base, auth, files } = site
  const session = await sessionOf(auth.app, request)
  if (!session) return reply.redirect(`${base}/dashboard/sign-in`, 302)
  if (files) return sendAppPage(reply, files, base)
  const content = html`<p>Signed in as ${session.email}. This program runs from its source: run <code>npm run build</code> and start it with <code>bin/tradepost.mjs</code> to see the dashboard.</p>
<form method="post" action="${base}/dashboard/sign-out"><button>Sign out</button></form>`
  return show(site, reply, { title: 'Dashboard', content })
}

const tokenOf = ({ query }: Asked): string => [query.token ?? ''].flat().at(-1) ?? ''

const STORE_HASH = /^[0-9A-Za-z]{12}$/
const hashOf = ({ query }: Asked): string | undefined => {
  const named = [query.store ?? ''].flat().at(-1) ?? ''
  return STORE_HASH.test(named) ? named : undefined
}

/** The filled fields of a form; others count as left out. */
function fieldsOf(body: unknown): Record<string, string> {
  const sent = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '')
  return Object.fromEntries([...sent].filter(([, value]) => value !== ''))
}

const fieldHtml = ({ name, label, type, autocomplete, optional, value }: Field): Html =>
  type === 'hidden'
    ? html`<input type="hidden" name="${name}" value="${value}">`
    : html`<p><label>${label}<br><input name="${name}" type="${type}" autocomplete="${autocomplete}"${!optional && html` required`}></label></p>`

/** A form, on the sign-in page with the way around it. */
const formPage = (
  { base, files }: DashboardSite,
  form: Form,
  { token, why }: { token: string; why?: string },
): Html =>
  html`${formHtml(form, token, why)}${form.endpoint === 'users.sign_in' && files?.signIn !== undefined && passkeyHtml(base, files.signIn)}`

const passkeyHtml = (base: string, script: string): Html => html`
<p><button type="button" data-passkey="${base}/dashboard/api" hidden>Sign in with a passkey</button></p>
<p role="alert" data-passkey-failure hidden></p>
<script type="module" src="${base}/dashboard/assets/${script}"></script>`

const formHtml = ({ lead, button, fields }: Form, token: string, error?: string): Html => html`
${error !== undefined && html`<p role="alert"><strong>${error}</strong></p>`}
<p>${lead}</p>
<form method="post">
${fields.map(fieldHtml)}${token !== '' && fieldHtml({ name: 'token', label: '', type: 'hidden', value: token })}
<button>${button}</button>
</form>`

interface Shown {
  title: string
  content: Html
  base: string
  folder: string
}

const pageHtml = ({ title, content, base, folder }: Shown): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tradepost</title>
<link rel="icon" href="${base}/favicon.ico">
${['tokens.css', 'style.css', 'pages.css'].map((name) => html`<link rel="stylesheet" href="${base}${folder}/${name}">`)}
</head>
<body class="home">
<div class="desk"><main id="content"><h1>${title}</h1>
${content}
</main></div>
</body>
</html>`.text
