import { type Html, html } from './html.ts'

/** A part of a line of inline Markdown. */
type Piece =
  | { kind: 'plain' | 'code' | 'bold'; text: string }
  | { kind: 'link'; text: string; href: string }

const PIECES = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of line.matchAll(PIECES)) {
    if (match.index > end) pieces.push({ kind: 'plain', text: line.slice(end, match.index) })
    end = match.index + match[0].length
    const [, code, bold, text = '', href = ''] = match
    if (code !== undefined) pieces.push({ kind: 'code', text: code })
    else if (bold !== undefined) pieces.push({ kind: 'bold', text: bold })
    else pieces.push({ kind: 'link', text, href })
  }
  if (end < line.length) pieces.push({ kind: 'plain', text: line.slice(end) })
  return pieces
}

/** Allows links to our pages, to an anchor or to the web, and excludes `javascript:` URLs. */
const isSafeHref = (href: string): boolean => /^(\/|#|https?:\/\/)/.test(href)

export interface LinkBase {
  /** The path of the public URL; empty if it is the root. */
  base: string
}

export const addressOf = (href: string, { base }: LinkBase): string =>
  href.startsWith('/') ? base + href : href

/** Renders a line of inline Markdown as HTML, and escapes everything else. */
export const inlineHtml = (line: string, links: LinkBase): Html =>
  html`${piecesOf(line).map((piece) => pieceHtml(piece, links))}`

function pieceHtml(piece: Piece, links: LinkBase): Html {
  switch (piece.kind) {
    case 'code':
      return html`<code>${piece.text}</code>`
    case 'bold':
      return html`<strong>${piece.text}</strong>`
    case 'link':
      return isSafeHref(piece.href)
        ? html`<a href="${addressOf(piece.href, links)}">${inlineHtml(piece.text, links)}</a>`
        : html`${piece.text}`
    default:
      return html`${piece.text}`
  }
}

/** Changes the links of a line to our pages, so that they lead to the Markdown versions. */
export const inlineMarkdown = (line: string, links: LinkBase): string =>
  line.replace(
    /\]\((\/[^)\s]*)\)/g,
    (_, href: string) => `](${addressOf(markdownHref(href), links)})`,
  )

/**
 * Returns the path of the Markdown version of a page: `/docs/errors#x` becomes `/docs/errors.md#x`. Files such
 * as `/openapi.json` have no Markdown version.
 */
export function markdownHref(href: string): string {
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/.exec(href) ?? []
  if (path === '/') return `/index.md${suffix}`
  return path === '/docs' || path.startsWith('/docs/') ? `${path}.md${suffix}` : href
}

/** Returns the text of a line without markup. */
export const plainText = (line: string): string =>
  piecesOf(line)
    .map(({ text }) => text)
    .join('')
