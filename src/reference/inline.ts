import { type Html, html } from './html.ts'

/** A part of a line: plain text, code, bold, or a link. */
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

/** Links may lead to our pages, to an anchor, or to the web; never to a script. */
const isAddress = (href: string): boolean => /^(\/|#|https?:\/\/)/.test(href)

export interface Linking {
  /** The path that a proxy puts in front of every URL; else empty. */
  base: string
}

export const addressOf = (href: string, { base }: Linking): string =>
  href.startsWith('/') ? base + href : href

/** Renders code, bold and links in a line; everything else is escaped. */
export const inlineHtml = (line: string, linking: Linking): Html =>
  html`${piecesOf(line).map((piece) => pieceHtml(piece, linking))}`

function pieceHtml(piece: Piece, linking: Linking): Html {
  switch (piece.kind) {
    case 'code':
      return html`<code>${piece.text}</code>`
    case 'bold':
      return html`<strong>${piece.text}</strong>`
    case 'link':
      return isAddress(piece.href)
        ? html`<a href="${addressOf(piece.href, linking)}">${inlineHtml(piece.text, linking)}</a>`
        : html`${piece.text}`
    default:
      return html`${piece.text}`
  }
}

/** The same line in Markdown; links to our pages lead to their Markdown versions. */
export const inlineMarkdown = (line: string, linking: Linking): string =>
  line.replace(
    /\]\((\/[^)\s]*)\)/g,
    (_, href: string) => `](${addressOf(markdownHref(href), linking)})`,
  )

/**
 * `/docs/errors#x` becomes `/docs/errors.md#x`; files such as `/openapi.json` have no Markdown
 * version.
 */
export function markdownHref(href: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? []
  if (path === '/') return `/index.md${rest}`
  return path === '/docs' || path.startsWith('/docs/') ? `${path}.md${rest}` : href
}

/** The text of a line, without markup. */
export const plainText = (line: string): string =>
  piecesOf(line)
    .map(({ text }) => text)
    .join('')
