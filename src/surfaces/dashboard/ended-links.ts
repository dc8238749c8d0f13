import { html } from '../../reference/index.ts'
import type { PageContent } from './page-html.ts'
import { FORGOT_PATH, PAGE_TEXTS, type PageLanguage, SIGN_IN_PATH, textIn } from './page-texts.ts'

interface Site {
  /** The path of the public URL. */
  base: string
  language: PageLanguage
}

/** The page of a sign-in link that was used or is too old. */
export function endedSignInLink({ base, language }: Site): PageContent {
  const { linkEnded, linkEndedLead, linkEndedOthers, withPassword } = PAGE_TEXTS
  const content = html`<p>${textIn(language, linkEndedLead)} <code>npx tradepost dashboard</code>, ${textIn(language, linkEndedOthers)} <code>npx tradepost users reset --email …</code>.</p><p><a href="${base}/dashboard${SIGN_IN_PATH}">${textIn(language, withPassword)}</a></p>`
  return { title: textIn(language, linkEnded), content, language, status: 404 }
}

/** The page of a link for a new password that is wrong, was used or is too old, with the way to another one. */
export function endedResetLink({ base, language }: Site, hasMail: boolean): PageContent {
  const { linkEnded, resetEnded, anotherReset, forgotHere, withPassword } = PAGE_TEXTS
  const another = hasMail
    ? html`<p><a href="${base}/dashboard${FORGOT_PATH}">${textIn(language, anotherReset)}</a></p>`
    : html`<p>${textIn(language, forgotHere)} <code>npx tradepost users reset --email …</code>.</p>`
  const content = html`<p>${textIn(language, resetEnded)}</p>
${another}
<p><a href="${base}/dashboard${SIGN_IN_PATH}">${textIn(language, withPassword)}</a></p>`
  return { title: textIn(language, linkEnded), content, language, status: 404 }
}
