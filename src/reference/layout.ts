import type { ReferencePage } from './blocks.ts'
import { isGuide } from './guides/guide-files.ts'
import { type Html, html } from './html.ts'
import { addressOf, markdownHref } from './inline.ts'
import type { Area, ReferenceModel, Site } from './model.ts'
import { pageHtml } from './render-html.ts'

interface Frame {
  site: Site
  /** The content of the navigation; the page at the root has no navigation. */
  navigation?: Navigation
  /** The URL path of the styles, scripts and fonts. */
  assets: string
  /** The text in the search field. */
  searchText?: string
}

export interface Navigation {
  model: ReferenceModel
  guides: readonly ReferencePage[]
}

const STYLES = ['tokens.css', 'style.css', 'pages.css', 'operations.css']

/** Returns a complete HTML document. */
export function documentHtml(page: ReferencePage, frame: Frame): string {
  const { site, assets, navigation } = frame
  const { base } = site
  const markdownUrl =
    page.status === undefined ? addressOf(markdownHref(page.href), site) : undefined
  const isHome = page.href === '/'
  const title = isHome ? 'Tradepost' : `${page.title} · Tradepost API`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="${base}/favicon.ico">
<link rel="preload" href="${base}${assets}/hanken-grotesk.woff2" as="font" type="font/woff2" crossorigin>
${STYLES.map(
  (name) => html`<link rel="stylesheet" href="${base}${assets}/${name}">
`,
)}${markdownUrl && html`<link rel="alternate" type="text/markdown" href="${markdownUrl}">`}
<script type="module" src="${base}${assets}/script.js"></script>
</head>
<body class="${isHome ? 'home' : 'docs'}" data-base="${base}">
<a class="skip" href="#content">Skip to the content</a>
${headerHtml(frame)}
<div class="desk">
${navigation && navigationHtml(page, navigation)}
<main id="content" tabindex="-1">
${page.href.startsWith('/docs/errors/') && html`<p class="crumb"><a href="${base}/docs/errors">Errors</a></p>`}
<h1>${page.title}</h1>
${!isHome && html`<p class="lead">${page.description}</p>`}
${pageHtml(page, base)}
<footer><p>Tradepost ${site.version}${markdownUrl && html` · <a href="${markdownUrl}">This page as Markdown</a>`} · <a href="${base}/openapi.json">OpenAPI</a></p></footer>
</main>
</div>
</body>
</html>
`.text
}

const headerHtml = ({ site: { base }, searchText = '' }: Frame): Html => html`<header>
<p class="brand"><a href="${base}/">Tradepost</a> <a href="${base}/docs">API reference</a></p>
<form role="search" action="${base}/docs/search" data-index="${base}/docs/search.json">
<label for="q">Search the reference</label>
<input id="q" name="q" type="search" value="${searchText}" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="100">
<button>Search</button>
</form>
</header>`

/** The navigation is in the page twice: collapsible for small screens, so that it needs no script, and open. */
function navigationHtml(page: ReferencePage, navigation: Navigation): Html {
  return html`<nav aria-label="Reference"><details class="fold"><summary>Contents</summary>${sections(page, navigation)}</details><div class="side">${sections(page, navigation)}</div></nav>`
}

function sections(page: ReferencePage, { model, guides }: Navigation): Html {
  const link = (href: string, title: string | Html) =>
    html`<a href="${addressOf(href, model)}"${page.href === href && html` aria-current="page"`}>${title}</a>`
  const areas = (api: Area['api']) =>
    model.areas
      .filter((area) => area.api === api)
      .map(
        (area) =>
          html`<li>${link(area.href, area.name)}${page.href === area.href && operationLinks(area)}</li>`,
      )
  const showsEvents = page.href === '/docs/webhooks' || page.href.startsWith('/docs/events/')
  return html`<p>Start</p><ul><li>${link('/docs', 'Overview')}</li>${guides
    .filter((item) => item.href !== '/docs/security' && item.href !== '/docs/webhooks')
    .filter((item) => !isGuide(item))
    .map(({ href, title }) => html`<li>${link(href, title)}</li>`)}</ul>
<p>Guides</p><ul>${guides
    .filter(isGuide)
    .map(({ href, title }) => html`<li>${link(href, title)}</li>`)}</ul>
<p>Store API</p><ul>${areas('store')}</ul>
<p>Webhooks</p><ul><li>${link('/docs/webhooks', 'Receive webhooks')}${showsEvents && html`<ul>${model.events.map(({ type }) => html`<li>${link(`/docs/events/${type}`, html`<code>${type}</code>`)}</li>`)}</ul>`}</li></ul>
<p>Client Security API</p><ul><li>${link('/docs/security', 'Overview')}</li>${areas('security')}</ul>`
}

const operationLinks = ({ operations }: Area): Html =>
  html`<ul>${operations.map(({ id }) => html`<li><a href="#${id}"><code>${breakable(id)}</code></a></li>`)}</ul>`

/** Allows line breaks in a long id after a dot or an underscore. */
const breakable = (id: string): Html[] => id.split(/(?<=[._])/).map((part) => html`${part}<wbr>`)
