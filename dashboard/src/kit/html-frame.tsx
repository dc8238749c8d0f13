import { useEffect, useRef } from 'react'

/**
 * Shows the HTML of a mail as its reader sees it. The frame is sandboxed without scripts. It inherits the content
 * security policy of the page, which refuses styles in HTML, so they are set as properties. Links are removed, because
 * the frame could not open them.
 */
export function HtmlFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const { current } = frame
    if (!current) return
    const draw = () => drawHtml(current, html)
    draw()
    // Some browsers load the empty document of a frame later, and replace its content.
    current.addEventListener('load', draw)
    return () => current.removeEventListener('load', draw)
  }, [html])
  return <iframe ref={frame} className="html-frame" title={title} sandbox="allow-same-origin" />
}

const OMITTED = 'script, style, link, meta, base, iframe, object, embed, form, img'

const STYLE_END = '</style>'

/** Removes the style sheet of a mail, which has at most one. */
function withoutStyle(html: string): string {
  const start = html.indexOf('<style>')
  const end = html.indexOf(STYLE_END, start)
  return start < 0 || end < 0 ? html : html.slice(0, start) + html.slice(end + STYLE_END.length)
}

function drawHtml(frame: HTMLIFrameElement, html: string) {
  const { contentDocument: shown } = frame
  if (!shown) return
  // The policy reports styles that are parsed, although they are not shown.
  const unstyled = withoutStyle(html).replaceAll(' style="', ' data-css="')
  const parsed = new DOMParser().parseFromString(unstyled, 'text/html')
  for (const omitted of parsed.querySelectorAll(OMITTED)) omitted.remove()
  shown.documentElement.lang = parsed.documentElement.lang
  shown.title = frame.title
  shown.body.replaceWith(shown.importNode(parsed.body, true))
  for (const element of shown.querySelectorAll<HTMLElement>('[data-css]')) {
    element.style.cssText = element.dataset.css ?? ''
    element.removeAttribute('data-css')
  }
  for (const link of shown.querySelectorAll('a')) link.removeAttribute('href')
  // The content of a frame is at least as high as the frame.
  frame.style.height = '0'
  frame.style.height = `${shown.documentElement.scrollHeight}px`
}
