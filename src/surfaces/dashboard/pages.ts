import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  findInvitation,
  isFirstStart,
  isResetLink,
  startSessionByLink,
  userEndpoints,
} from '../../features/installation/index.ts'
import { refusalFor } from '../../http/server.ts'
import { notFound, Refusal, sentenceOf } from '../../kernel/errors.ts'
import { type Html, html, readAssets } from '../../reference/index.ts'
import type { AuthenticationContext } from '../store-authentication.ts'
import { type AppFiles, readAppFiles } from './app-files.ts'
import { mountAppFiles, mountWorker, sendAppPage } from './app-page.ts'
import { setCookies } from './cookies.ts'
import { admit, runEndpoint } from './dashboard-api.ts'
import { checkHttps, countAnonymousCall, sessionOf } from './dashboard-authentication.ts'
import { endedResetLink, endedSignInLink } from './ended-links.ts'
import { otherSignInsHtml } from './other-sign-ins.ts'
import { formHtml, PAGE_HEADERS, type PageContent, pageHtml } from './page-html.ts'
import {
  FIRST_START_PATH,
  FORM_REFUSALS,
  INVITATION_PATH,
  languageOf,
  PAGE_FORMS,
  PAGE_REFUSALS,
  PAGE_TEXTS,
  PASSWORD_PATH,
  type PageForm,
  type PageLanguage,
  RESET_PATH,
  ROLE_TEXTS,
  SIGN_IN_PATH,
  textIn,
} from './page-texts.ts'
import { returnPathOf } from './return-path.rules.ts'

type QueryValue = string | string[]
type PageRequest = FastifyRequest<{
  Querystring: { token?: QueryValue; store?: QueryValue; to?: QueryValue }
}>

/** The path of the home page of a store, below `/dashboard`. */
const HOME = '/:store_hash(^[0-9A-Za-z]{12}$)'

/**
 * Mounts the app, and the pages outside of the app: sign-in, password and invitation. These pages need no
 * script; their forms call endpoints of the private API. Refusals are sent to browsers as pages and to other
 * clients as JSON.
 */
export async function mountDashboardPages(
  server: FastifyInstance,
  auth: AuthenticationContext,
  loadDemo?: LoadDemo,
) {
  const { publicUrl } = auth.app.config
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const files = readAppFiles()
  const site = { auth, base, folder: readAssets().folder, files, loadDemo }
  // A hook sets the header, so that redirects and refusals have it too.
  server.addHook('onRequest', async (_, reply) => {
    reply.header('x-content-type-options', 'nosniff')
  })
  server.setErrorHandler((error, request, reply) => {
    if (!isBrowser(request)) throw error
    return showRefusal(site, { request, reply }, refusalFor(request, error))
  })
  server.setNotFoundHandler(() => {
    throw notFound('The path')
  })
  if (files) {
    mountAppFiles(server, files)
    mountWorker(server, files)
  }
  for (const [path, form] of Object.entries(PAGE_FORMS)) mountForm(server, site, path, form)
  for (const path of ['', HOME, `${HOME}/*`]) {
    server.get(path, (request, reply) => showApp(site, request, reply))
  }
  server.get('/', { prefixTrailingSlash: 'slash' }, (_, reply) =>
    reply.redirect(`${base}/dashboard`),
  )
  server.post('/sign-out', async (request, reply) => {
    await callEndpoint(site, 'users.sign_out', {}, { request, reply })
    return reply.redirect(`${base}/dashboard${SIGN_IN_PATH}`, 303)
  })
}

/** Returns true if the client accepts HTML explicitly, as browsers do when they open a page. */
const isBrowser = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? '').includes('text/html')

/** Opens the demo store, and fills it in the background. */
export type LoadDemo = () => Promise<void>

interface DashboardSite {
  auth: AuthenticationContext
  /** The path of the public URL. */
  base: string
  /** The URL path of the styles. */
  folder: string
  /** Undefined if the program runs from its source. */
  files: AppFiles | undefined
  loadDemo: LoadDemo | undefined
}

/** A request and its reply. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** The longest form has a token, two names, an address and a password. */
const FORM_BYTES_MAX = 16 * 1024

function mountForm(server: FastifyInstance, site: DashboardSite, path: string, form: PageForm) {
  server.route({
    method: 'GET',
    url: path,
    exposeHeadRoute: false,
    handler: async (request: PageRequest, reply) => {
      const token = tokenOf(request)
      if (token !== '') await countAnonymousCall(site.auth, request)
      const language = languageOf(request)
      if (path === FIRST_START_PATH && !(await isFirstStart(site.auth.app, token))) {
        return sendPage(site, reply, endedSignInLink({ ...site, language }))
      }
      if (path === PASSWORD_PATH)
        return showFirstPassword(site, { request, reply }, { form, token })
      if (path === RESET_PATH && !(await isResetLink(site.auth.app, token))) {
        return showEndedReset(site, reply, language)
      }
      if (path === INVITATION_PATH) return showInvitation(site, { request, reply }, { form, token })
      return token !== '' && path === SIGN_IN_PATH
        ? signInByLink(site, { request, reply }, { token, store: storeHashIn(request) })
        : showForm(site, reply, form, { language, token, returnPath: returnPathIn(request) })
    },
  })
  server.post(path, { bodyLimit: FORM_BYTES_MAX }, async (request: PageRequest, reply) => {
    const fields = fieldsOf(request.body)
    const language = languageOf(request)
    const returnPath = returnPathIn(request)
    let answer: unknown
    try {
      answer = await callEndpoint(site, form.endpoint, fields, { request, reply })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { token = '' } = fields
      const message = messageIn(language, error)
      const refusedForm = {
        error: message,
        wrongField: wrongFieldOf(form, error),
        status: error.status,
        values: fields,
      }
      if (path === INVITATION_PATH) {
        return showInvitation(site, { request, reply }, { form, token, ...refusedForm })
      }
      return showForm(site, reply, form, { language, token, returnPath, ...refusedForm })
    }
    if (path === FIRST_START_PATH) return openFirstStore(site, reply, answer as FirstStore)
    if (path === RESET_PATH && (answer as ResetAnswer).passkeys.length > 0)
      return showPasskeys(site, reply, language, answer as ResetAnswer)
    if (!form.successText) return reply.redirect(`${site.base}/dashboard${returnPath}`, 303)
    const content = html`<p role="status">${textIn(language, form.successText)}</p>
<p><a href="${site.base}/dashboard${SIGN_IN_PATH}">${textIn(language, PAGE_TEXTS.withPassword)}</a></p>`
    return sendPage(site, reply, { title: textIn(language, form.title), content, language })
  })
}

const sendPage = (
  { base, folder }: DashboardSite,
  reply: FastifyReply,
  page: PageContent,
): FastifyReply =>
  reply
    .code(page.status ?? 200)
    .headers(PAGE_HEADERS)
    .send(pageHtml(page, { base, folder }))

interface FormPage {
  language: PageLanguage
  token: string
  /** The page that is opened after the sign-in, below `/dashboard`. */
  returnPath: string
  /** The reason for which the form was refused. */
  error?: string
  /** The name of the field to correct. */
  wrongField?: string | undefined
  status?: number
  values?: Record<string, string>
  leadHtml?: Html
}

/** Shows who invites to which store with which role, and the form that accepts. */
async function showInvitation(
  site: DashboardSite,
  { request, reply }: Exchange,
  { form, token, ...refused }: { form: PageForm } & Omit<FormPage, 'language' | 'returnPath'>,
) {
  const language = languageOf(request)
  const text = (name: keyof typeof PAGE_TEXTS) => textIn(language, PAGE_TEXTS[name])
  const invitation = await findInvitation(site.auth.app, token).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined
    throw error
  })
  if (!invitation) {
    const content = html`<p>${text('invitationEnded')}</p>
<p><a href="${site.base}/dashboard${SIGN_IN_PATH}">${text('withPassword')}</a></p>`
    return sendPage(site, reply, { title: text('linkEnded'), content, language, status: 404 })
  }
  const { store, email, role, has_account, inviter_name } = invitation
  const rows = [
    [text('store'), store],
    [text('invitedAddress'), email],
    [text('role'), textIn(language, ROLE_TEXTS[role] ?? [role, role, role])],
  ] as const
  const lead =
    inviter_name === null
      ? text('invitedHere')
      : text('invites').replace('{by}', () => inviter_name)
  const leadHtml = html`<p>${lead}</p>
<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>${text(has_account ? 'hasAccount' : 'newAccount')}</p>`
  return showForm(site, reply, form, { language, token, returnPath: '', leadHtml, ...refused })
}

function showForm(
  site: DashboardSite,
  reply: FastifyReply,
  form: PageForm,
  { language, token, returnPath, error, wrongField, status = 200, values, leadHtml }: FormPage,
): FastifyReply {
  const isSignIn = form.endpoint === 'users.sign_in'
  const content = html`${formHtml(form, { language, token, error, wrongField, ...(values && { values }), ...(leadHtml && { leadHtml }) })}${isSignIn && otherSignInsHtml({ ...site, language, returnPath, hasMail: hasMail(site), signInScript: site.files?.signInScript })}`
  return sendPage(site, reply, { title: textIn(language, form.title), content, language, status })
}

/** The field that takes the focus after a refusal: the named one, the code, or the password, which is not shown again. */
function wrongFieldOf({ fields }: PageForm, { code, details }: Refusal): string | undefined {
  const named = code === 'CODE_REQUIRED' ? 'code' : details?.field
  const byName = fields.find(({ name }) => name === named)
  return (byName ?? fields.find(({ type }) => type === 'password') ?? fields[0])?.name
}

function messageIn(language: PageLanguage, error: Refusal): string {
  const translatedText = FORM_REFUSALS[error.code ?? '']
  if (language !== 'en' && translatedText) return textIn(language, translatedText)
  return sentenceOf(error)
}

/** Sends a refusal as a page with the same code and request id as the JSON answer. */
function showRefusal(site: DashboardSite, { request, reply }: Exchange, refusal: Refusal) {
  const language = languageOf(request)
  const { title = PAGE_TEXTS.refused, text } = PAGE_REFUSALS[refusal.code ?? ''] ?? {}
  const content = html`<p>${text ? textIn(language, text) : refusal.message}</p>
<p><a href="${site.base}/dashboard">${textIn(language, PAGE_TEXTS.toDashboard)}</a></p>
<p><code>${refusal.code}</code> · ${textIn(language, PAGE_TEXTS.requestId)} <code>${request.id}</code></p>`
  const { status, headers = {} } = refusal
  reply.headers(headers)
  return sendPage(site, reply, { title: textIn(language, title), content, language, status })
}

async function callEndpoint(
  { auth }: DashboardSite,
  id: string,
  fields: Record<string, string>,
  { request, reply }: Exchange,
): Promise<unknown> {
  const endpoint = userEndpoints.find((item) => item.id === id)
  if (!endpoint) throw new Error(`There is no endpoint ${id}.`)
  const session = await admit(auth, endpoint, request, reply)
  const body = Buffer.from(JSON.stringify(fields))
  return runEndpoint(endpoint, request, reply, { app: auth.app, session, body })
}

const showEndedReset = (site: DashboardSite, reply: FastifyReply, language: PageLanguage) =>
  sendPage(site, reply, endedResetLink({ ...site, language }, hasMail(site)))

const hasMail = ({ auth }: DashboardSite): boolean => auth.app.config.smtp !== undefined

/** Shows the form of a signed-in user who has no password. A token belongs to the form of a mailed link. */
async function showFirstPassword(
  site: DashboardSite,
  { request, reply }: Exchange,
  { form, token }: { form: PageForm; token: string },
) {
  const { base, auth } = site
  if (token !== '') {
    return reply.redirect(`${base}/dashboard${RESET_PATH}?token=${encodeURIComponent(token)}`, 302)
  }
  if (!(await sessionOf(auth.app, request))) {
    return reply.redirect(`${base}/dashboard${SIGN_IN_PATH}`, 302)
  }
  return showForm(site, reply, form, { language: languageOf(request), token, returnPath: '' })
}

interface ResetAnswer {
  passkeys: { name: string }[]
}

/** Shows the passkeys that still sign in after the password was reset (decision 173). */
function showPasskeys(
  site: DashboardSite,
  reply: FastifyReply,
  language: PageLanguage,
  { passkeys }: ResetAnswer,
) {
  const { passwordSet, passkeysRemain, toDashboard } = PAGE_TEXTS
  const content = html`<p role="status">${textIn(language, passkeysRemain)}</p>
<ul>${passkeys.map(({ name }) => html`<li>${name}</li>`)}</ul>
<p><a href="${site.base}/dashboard">${textIn(language, toDashboard)}</a></p>`
  return sendPage(site, reply, { title: textIn(language, passwordSet), content, language })
}

interface FirstStore {
  store_id: string
  demo: boolean
}

/** Loads the demo store if it was chosen, and redirects to the new store. */
async function openFirstStore(
  { base, loadDemo }: DashboardSite,
  reply: FastifyReply,
  { store_id, demo }: FirstStore,
) {
  if (demo) await loadDemo?.()
  return reply.redirect(`${base}/dashboard/${store_id}`, 303)
}

/** Signs in with a link, and redirects to the store in the link, or else to the first store of the user. */
async function signInByLink(
  site: DashboardSite,
  { request, reply }: Exchange,
  { token, store }: { token: string; store: string | undefined },
) {
  const { base, auth } = site
  const { app } = auth
  checkHttps(app, request)
  const user_agent = request.headers['user-agent'] ?? ''
  const session = await startSessionByLink(
    app,
    { ip: request.ip, user_agent, device: undefined },
    token,
  )
  if (!session) {
    return sendPage(site, reply, endedSignInLink({ ...site, language: languageOf(request) }))
  }
  setCookies(reply, app.config.publicUrl, session.cookies)
  const hash = store ?? session.store
  const path = hash === undefined ? '' : `/${hash}`
  return reply.redirect(`${base}/dashboard${path}`, 302)
}

async function showApp(site: DashboardSite, request: FastifyRequest, reply: FastifyReply) {
  const { base, auth, files } = site
  const session = await sessionOf(auth.app, request)
  if (!session) return reply.redirect(`${base}/dashboard${signInPathFor(request)}`, 302)
  if (files)
    return sendAppPage(reply, files, {
      base,
      isHome: request.routeOptions.url === `/dashboard${HOME}`,
    })
  const content = html`<p>Signed in as ${session.email}. This program runs from its source and has no dashboard. Run <code>npm run build</code>, and then start <code>bin/tradepost.mjs</code>.</p>
<form method="post" action="${base}/dashboard/sign-out"><button>Sign out</button></form>`
  return sendPage(site, reply, { title: 'Dashboard', content, language: 'en' })
}

/** Returns the path of the sign-in, which then leads back to the page of this request. */
function signInPathFor({ url }: FastifyRequest): string {
  const path = returnPathOf(url.slice('/dashboard'.length))
  return path === '' ? SIGN_IN_PATH : `${SIGN_IN_PATH}?to=${encodeURIComponent(path)}`
}

const lastOf = (value: QueryValue = ''): string => [value].flat().at(-1) ?? ''
const tokenOf = ({ query }: PageRequest): string => lastOf(query.token)
const returnPathIn = ({ query }: PageRequest): string => returnPathOf(lastOf(query.to))

const STORE_HASH = /^[0-9A-Za-z]{12}$/
const storeHashIn = ({ query }: PageRequest): string | undefined => {
  const hash = lastOf(query.store)
  return STORE_HASH.test(hash) ? hash : undefined
}

/** Returns the fields of a form, without empty ones, so that an empty field counts as omitted. */
function fieldsOf(body: unknown): Record<string, string> {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '')
  return Object.fromEntries([...form].filter(([, value]) => value !== ''))
}
