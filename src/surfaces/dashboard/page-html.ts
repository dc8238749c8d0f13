import { type Html, html } from '../../reference/index.ts'
import { type PageField, type PageLanguage, type Text, textIn } from './page-texts.ts'

/** The referrer policy is not `no-referrer`, because browsers would then send forms without an origin. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // The only script is the passkey script of the sign-in page.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept, accept-language',
}

export interface PageContent {
  title: string
  content: Html
  language: PageLanguage
  status?: number
}

interface ShownField {
  name: string
  label: string
  type: 'email' | 'password' | 'text' | 'checkbox'
  autocomplete?: string
  optional?: boolean
  heading?: string
  value: string | undefined
  isChecked: boolean
  /** True for the field to correct, which takes the focus. */
  isWrong: boolean
}

function fieldHtml({ heading, ...field }: ShownField): Html {
  const title = heading !== undefined && html`<h2>${heading}</h2>`
  return html`${title}${field.type === 'checkbox' ? checkboxHtml(field) : inputHtml(field)}`
}

const checkboxHtml = ({ name, label, value, isChecked }: ShownField): Html =>
  html`<p><label><input name="${name}" type="checkbox" value="${value}"${isChecked && html` checked`}> ${label}</label></p>`

const inputHtml = ({
  name,
  label,
  type,
  autocomplete,
  optional,
  value,
  isWrong,
}: ShownField): Html =>
  html`<p><label>${label}<br><input name="${name}" type="${type}" autocomplete="${autocomplete}"${value !== undefined && html` value="${value}"`}${!optional && html` required`}${isWrong && html` autofocus aria-invalid="true" aria-describedby="refusal"`}></label></p>`

interface ShownForm {
  lead: Text
  button: Text
  fields: readonly PageField[]
}

interface FormState {
  language: PageLanguage
  /** The token of the link, which the form sends back. */
  token: string
  /** The reason for which the form was refused. */
  error?: string | undefined
  /** The name of the field to correct. */
  wrongField?: string | undefined
  /** The values of a refused form, which are shown again, except passwords. */
  values?: Record<string, string>
  /** Replaces the lead of the form. */
  leadHtml?: Html
}

function shownField(
  { heading, label, initial, ...field }: PageField,
  { language, values, wrongField }: FormState,
): ShownField {
  const typedValue = field.type === 'password' ? undefined : values?.[field.name]
  const isCheckbox = field.type === 'checkbox'
  return {
    ...field,
    label: textIn(language, label),
    ...(heading && { heading: textIn(language, heading) }),
    value: isCheckbox || !values ? initial : typedValue,
    isChecked: isCheckbox && typedValue === initial,
    isWrong: field.name === wrongField,
  }
}

export const formHtml = ({ lead, button, fields }: ShownForm, state: FormState): Html => {
  const { language, token, error, leadHtml } = state
  return html`
${error !== undefined && html`<p role="alert" id="refusal"><strong>${error}</strong></p>`}
${leadHtml ?? html`<p>${textIn(language, lead)}</p>`}
<form method="post">
${fields.map((field) => fieldHtml(shownField(field, state)))}${token !== '' && html`<input type="hidden" name="token" value="${token}">`}
<button class="primary">${textIn(language, button)}</button>
</form>`
}

/** The mark, as in the icon of the site. */
const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path class="ground" d="M3 2h18v20l-3-2-3 2-3-2-3 2-3-2-3 2z"/><path class="letter" d="M7 6h10v3h-3.5v8h-3V9H7z"/></svg>`

/** Renders a page outside of the app. `base` is the path of the public URL, and `folder` the path of the styles below it. */
export const pageHtml = (
  { title, content, language }: PageContent,
  { base, folder }: { base: string; folder: string },
): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tradepost</title>
<link rel="icon" href="${base}/favicon.ico">
${['tokens.css', 'style.css', 'entry.css'].map((name) => html`<link rel="stylesheet" href="${base}${folder}/${name}">`)}
</head>
<body class="entry">
<main id="content">
<p class="brand">${MARK} Tradepost</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`.text
