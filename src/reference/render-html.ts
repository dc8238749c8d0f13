import type { Block, LinkRow, ReferencePage } from './blocks.ts'
import { type Html, html } from './html.ts'
import { addressOf, inlineHtml } from './inline.ts'
import { shapeId } from './pages/areas.ts'
import { fieldList, type PageLinks } from './render-fields.ts'
import { operationHtml } from './render-operation.ts'
import { sampleFigures } from './render-samples.ts'

/** Renders the content of a page as HTML. */
export function pageHtml(page: ReferencePage, base: string): Html {
  const anchors = new Set(
    page.blocks.flatMap((block) => (block.kind === 'fields' ? [block.id] : [])),
  )
  const links: PageLinks = {
    base,
    shapeHref: (name) => (anchors.has(shapeId(name)) ? `#${shapeId(name)}` : undefined),
  }
  return html`${page.blocks.map((block) => blockHtml(block, links))}`
}

function blockHtml(block: Block, links: PageLinks): Html {
  switch (block.kind) {
    case 'text':
      return html`<p>${inlineHtml(block.text, links)}</p>`
    case 'heading':
      return block.level === 3
        ? html`<h3 id="${block.id}">${block.text}</h3>`
        : html`<h2 id="${block.id}">${block.text}</h2>`
    case 'list':
      return listHtml(block, links)
    case 'table':
      return tableHtml(block, links)
    case 'samples':
      return sampleFigures(block.samples)
    case 'fields':
      return html`<section${block.id && html` id="${block.id}"`} class="shape"><h2>${block.title}</h2>${fieldList(block.fields, links)}</section>`
    case 'links':
      return html`<section aria-labelledby="${block.id}"><h2 id="${block.id}">${block.title}</h2><ul class="links">${block.rows.map((row) => rowHtml(row, links))}</ul></section>`
    case 'badge':
      return html`<p class="badge">${block.text}</p>`
    case 'addresses':
      return html`<dl class="addresses" aria-label="${block.title}">${block.rows.map(({ name, href, value }) => html`<div><dt><a href="${addressOf(href, links)}">${name}</a></dt><dd><code>${value}</code></dd></div>`)}</dl>`
    case 'operation':
      return operationHtml(block, links)
  }
}

function listHtml({ items, isOrdered }: Extract<Block, { kind: 'list' }>, links: PageLinks): Html {
  const lines = items.map((line) => html`<li>${inlineHtml(line, links)}</li>`)
  return isOrdered ? html`<ol>${lines}</ol>` : html`<ul>${lines}</ul>`
}

const rowHtml = ({ title, href, about, mark }: LinkRow, links: PageLinks): Html =>
  html`<li>${mark && html`<span class="method m-${mark.toLowerCase()}">${mark}</span>`}<span class="row"><a href="${addressOf(href, links)}">${title}</a> <span class="about">${inlineHtml(about, links)}</span></span></li>`

/** A table of names and their meanings has no heads. */
const headHtml = (head: readonly string[]): Html | false =>
  head.some(Boolean) &&
  html`<thead><tr>${head.map((item) => (item ? html`<th scope="col">${item}</th>` : html`<td></td>`))}</tr></thead>`

function tableHtml(block: Extract<Block, { kind: 'table' }>, links: PageLinks): Html {
  const { caption, head, rows, ids } = block
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>${headHtml(head)}<tbody>${rows.map((cells, index) => html`<tr${ids && html` id="${ids[index]}"`}>${cells.map((cell) => html`<td>${inlineHtml(cell, links)}</td>`)}</tr>`)}</tbody></table></div>`
}
