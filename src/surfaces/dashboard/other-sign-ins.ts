import { type Html, html } from '../../reference/index.ts'
import { FORGOT_PATH, PAGE_TEXTS, type PageLanguage, textIn } from './page-texts.ts'

interface OtherSignIns {
  /** The path of the public URL. */
  base: string
  language: PageLanguage
  hasMail: boolean
  /** The page that is opened after the sign-in, below `/dashboard`. */
  returnPath: string
  /** The name of the script of the page; undefined if the program runs from its source. */
  signInScript: string | undefined
}

/** Renders the ways to sign in without a password: a passkey, and a link, which an operator prints if there is no mail server. */
export function otherSignInsHtml({
  base,
  language,
  hasMail,
  returnPath,
  signInScript,
}: OtherSignIns): Html {
  const { forgot, forgotHere, passkey, noPasskey } = PAGE_TEXTS
  const forgotten = !hasMail
    ? html`
<p class="about">${textIn(language, forgotHere)} <code>npx tradepost users reset --email …</code>.</p>`
    : html`
<p><a href="${base}/dashboard${FORGOT_PATH}">${textIn(language, forgot)}</a></p>`
  const passkeyButton = html`
<p><button type="button" data-passkey="${base}/dashboard/api" data-next="${base}/dashboard${returnPath}" data-none="${textIn(language, noPasskey)}" hidden>${textIn(language, passkey)}</button></p>
<p role="alert" data-passkey-failure hidden></p>
<script type="module" src="${base}/dashboard/assets/${signInScript}"></script>`
  return html`${signInScript !== undefined && passkeyButton}${forgotten}`
}
