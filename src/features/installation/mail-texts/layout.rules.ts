import type { Language } from '../../../kernel/language.ts'
import type { Block, KeyGroup, MailItem, Span } from './fill.rules.ts'

/** A mail without its subject, as it is stored. */
export interface MailBody {
  language: Language
  /** The name of the store above and below the text. */
  store_name: string
  blocks: readonly Block[]
}

/** The sentence and the URL with which a reader unsubscribes. */
export interface StopLink {
  text: string
  url: string
}

/** Renders a mail as plain text. */
export const renderText = ({ blocks, store_name }: MailBody, stop?: StopLink): string =>
  [
    ...blocks.map(textOf),
    ...(store_name ? [`-- \n${store_name}`] : []),
    ...(stop ? [`${stop.text}\n${stop.url}`] : []),
  ].join('\n\n')

function textOf(block: Block): string {
  switch (block.kind) {
    case 'lines':
      return block.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'items':
      return block.items.map(itemText).join('\n')
    case 'keys':
      return block.groups
        .map(({ title, keys, notes }) => [title, ...keys, ...notes].join('\n'))
        .join('\n\n')
  }
}

const itemText = ({ label, note, amount }: MailItem): string =>
  [amount === undefined ? label : `${label}: ${amount}`, ...(note ? [note] : [])].join('\n')

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

const FONT = "font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const MONO = "font-family: Menlo, Consolas, 'Courier New', monospace"
const TEXT = `${FONT}; font-size: 16px; line-height: 24px; color: #1f2328`
const QUIET = `${FONT}; font-size: 13px; line-height: 20px; color: #59636e`

/** Mail programs that know no dark scheme ignore these rules and show the colors of the elements. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background-color: #101214 !important }
  .card { background-color: #1b1e22 !important }
  .text { color: #e6e8ea !important }
  .quiet { color: #a3acb5 !important }
  .line { border-color: #383d43 !important }
  .button { background-color: #6ea8fe !important }
  .button a { color: #101214 !important }
}`

/**
 * Renders a mail as HTML: tables and styles of elements, because mail programs drop other layouts. All values are
 * escaped here, so no name can add an element.
 */
export function renderHtml(
  subject: string,
  { language, store_name, blocks }: MailBody,
  stop?: StopLink,
): string {
  const title = escapeHtml(subject)
  const name = escapeHtml(store_name)
  const rows = blocks.map(
    (block) => `<tr><td style="padding: 0 32px 20px 32px">${htmlOf(block)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${DARK}</style>
</head>
<body class="page" bgcolor="#f3f4f6" style="margin: 0; padding: 0; background-color: #f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f4f6" style="background-color: #f3f4f6">
<tr><td align="center" style="padding: 24px 12px 24px 12px">
<table role="presentation" class="card" width="560" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width: 100%; max-width: 560px; background-color: #ffffff">
<tr><td class="text" style="${FONT}; font-size: 18px; line-height: 24px; font-weight: bold; color: #1f2328; padding: 28px 32px 20px 32px">${name}</td></tr>
${rows.join('\n')}
</table>
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width: 100%; max-width: 560px">
<tr><td class="quiet" align="center" style="${QUIET}; padding: 16px 32px 0 32px">${name}${stopHtml(stop)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const stopHtml = (stop: StopLink | undefined): string =>
  stop
    ? `<br>${escapeHtml(stop.text)} <a class="quiet" href="${escapeHtml(stop.url)}" style="color: #59636e">${escapeHtml(stop.url)}</a>`
    : ''

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'lines':
      return textHtml(block.lines.map(spansHtml).join('<br>'))
    case 'button':
      return buttonHtml(block)
    case 'items':
      return itemsHtml(block.items)
    case 'keys':
      return block.groups.map(groupHtml).join('')
  }
}

const textHtml = (html: string): string => `<div class="text" style="${TEXT}">${html}</div>`

const spansHtml = (spans: readonly Span[]): string =>
  spans
    .map(({ text, isUrl }) => {
      const escaped = escapeHtml(text)
      return isUrl
        ? `<a class="text" href="${escaped}" style="color: #1f2328">${escaped}</a>`
        : escaped
    })
    .join('')

const buttonHtml = ({ label, url }: { label: string; url: string }): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" bgcolor="#0b57d0" style="background-color: #0b57d0; padding: 12px 24px 12px 24px"><a href="${escapeHtml(url)}" style="${FONT}; font-size: 16px; font-weight: bold; color: #ffffff; text-decoration: none">${escapeHtml(label)}</a></td></tr></table>`

function itemsHtml(items: readonly MailItem[]): string {
  const border = 'border-top: 1px solid #d9dde1'
  const rows = items.map(({ label, note, amount = '' }) => {
    const noteHtml = note
      ? `<br><span class="quiet" style="${QUIET}">${escapeHtml(note)}</span>`
      : ''
    return `<tr><td class="text line" style="${TEXT}; ${border}; padding: 8px 0 8px 0">${escapeHtml(label)}${noteHtml}</td><td class="text line" align="right" valign="top" style="${TEXT}; ${border}; padding: 8px 0 8px 12px">${escapeHtml(amount)}</td></tr>`
  })
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0">${rows.join('')}</table>`
}

function groupHtml({ title, keys, notes }: KeyGroup): string {
  const keyLines = keys.map((key) => escapeHtml(key).replace(/\r?\n/g, '<br>'))
  const keysHtml =
    keyLines.length === 0
      ? ''
      : `<div class="text" style="${MONO}; font-size: 15px; line-height: 24px; color: #1f2328">${keyLines.join('<br>')}</div>`
  const notesHtml = textHtml(notes.map(escapeHtml).join('<br>'))
  return `<div class="text" style="${TEXT}; font-weight: bold; padding: 0 0 4px 0">${escapeHtml(title)}</div>${keysHtml}${notes.length > 0 ? notesHtml : ''}<div style="font-size: 12px; line-height: 12px">&nbsp;</div>`
}
