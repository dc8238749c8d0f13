import { createElement, Fragment, type ReactNode } from 'react'
import { parseHtml } from './parse-html.ts'

/** The elements that are shown, without their attributes. Of other elements, only the content is shown. */
const SHOWN_ELEMENTS = new Set(
  'p br strong b em i u s ul ol li blockquote code pre h3 h4 h5 h6 hr table thead tbody tr th td'.split(
    ' ',
  ),
)
/** Headings of the text are below the heading of the part. */
const LOWERED_HEADINGS: Record<string, string> = { h1: 'h3', h2: 'h3' }
const OMITTED = new Set(['script', 'style', 'template', 'iframe', 'object'])

/**
 * Shows the text of HTML with plain elements only. No attribute is kept, so that nothing is loaded,
 * run or opened, whatever the text contains.
 */
export function SafeHtml({ html }: { html: string }) {
  return <>{childrenOf(parseHtml(html))}</>
}

const childrenOf = (parent: Node): ReactNode[] =>
  [...parent.childNodes].map((child, index) => shownNode(child, index))

function shownNode(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (OMITTED.has(name)) return null
  const tag = LOWERED_HEADINGS[name] ?? name
  if (!SHOWN_ELEMENTS.has(tag)) return <Fragment key={key}>{childrenOf(node)}</Fragment>
  const children = childrenOf(node)
  return createElement(tag, { key }, ...(children.length > 0 ? children : []))
}
