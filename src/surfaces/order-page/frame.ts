import { createHash } from 'node:crypto'
import type { Language } from '../../kernel/language.ts'
import { Html, html } from '../../reference/index.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink);
  --paper: #fff; --ink: #18181b; --line: #d4d4d8; --soft: #f4f4f5; --dim: #52525b; --link: #1d4ed8 }
@media (prefers-color-scheme: dark) { :root { --paper: #18181b; --ink: #fafafa; --line: #3f3f46; --soft: #27272a; --dim: #a1a1aa; --link: #93b4ff } }
* { box-sizing: border-box }
body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
.store, .date, footer { color: var(--dim) }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .25rem 0 }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 1rem 0 .5rem }
.test { border: 1px solid #b45309; border-radius: .5rem; padding: .5rem .75rem }
.status { display: inline-block; font-weight: 600; border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .75rem }
.key { display: flex; gap: .5rem; align-items: center; margin: .25rem 0 }
code, pre { font: .95rem/1.5 ui-monospace, monospace; background: var(--soft); border-radius: .375rem; padding: .5rem .75rem; margin: 0;
  flex: 1; min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap }
code { user-select: all }
ul { list-style: none; margin: 0; padding: 0 }
a { color: var(--link) }
a.file, a.button, button { font: inherit; min-height: 2.75rem; display: inline-flex; align-items: center; border: 1px solid var(--line);
  border-radius: .5rem; padding: .25rem .9rem; background: transparent; color: inherit; text-decoration: none; cursor: pointer;
  overflow-wrap: anywhere }
a.button, button.button { background: #1d4ed8; border-color: #1d4ed8; color: #fff; font-weight: 600 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .5rem 0; border-bottom: 1px solid var(--line); font-weight: inherit; overflow-wrap: anywhere }
td:last-child, thead th:last-child { text-align: right; white-space: nowrap; padding-left: 1rem; font-variant-numeric: tabular-nums }
thead th, tr.total { font-weight: 600 }
address { font-style: normal }
[hidden] { display: none }
@media print { button, a.button, .test { display: none } body { padding: 0 } }
`

/** Copies a key, and loads the page again when its order has changed. The page works without it. */
const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copied]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent)
    const label = button.textContent
    button.textContent = button.dataset.copied
    setTimeout(() => { button.textContent = label }, 2000)
  })
}
const main = document.querySelector('main')
if (main.dataset.status) {
  let left = 150
  const timer = setInterval(async () => {
    left -= 1
    if (left === 0) return clearInterval(timer)
    if (document.hidden) return
    const answer = await fetch(main.dataset.status).catch(() => undefined)
    if (!answer?.ok) return
    if ((await answer.json()).updated_at !== main.dataset.updated) location.reload()
  }, 4000)
}
`

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * Returns the headers of a page. It shows the goods of a buyer, so nobody else may keep it, frame it or learn its address
 * (decision 464). Its button leads to a payment provider: https, or the page of the provider `test` below `publicUrl`, which
 * is another origin if the page was opened under another name of the host.
 */
export const pageHeaders = (publicUrl: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hashOf(STYLE)}'; script-src 'sha256-${hashOf(SCRIPT)}'; connect-src 'self'; base-uri 'none'; form-action 'self' https: ${new URL(publicUrl).origin}; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
})

interface Frame {
  title: string
  language: Language
  /** The address at which the page asks whether its order has changed; undefined if it does not ask. */
  watched?: { url: string; updated_at: string } | undefined
}

/** Returns a page with this content. */
export function framed({ title, language, watched }: Frame, content: Html): string {
  const watch = watched && html` data-status="${watched.url}" data-updated="${watched.updated_at}"`
  return html`<!doctype html>
<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Html(STYLE)}</style>
<main${watch}>${content}</main><script>${new Html(SCRIPT)}</script>
</html>`.text
}
