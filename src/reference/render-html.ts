import type { Block, LinkRow, Page } from './blocks.ts'
import { type Html, html } from './html.ts'
import { addressOf, inlineHtml } from './inline.ts'
import { shapeId } from './pages/areas.ts'
import { type FieldLinking, fieldList } from './render-fields.ts'
import { operationHtml } from './render-operation.ts'
import { sampleFigures } from './render-samples.ts'

/** The content of a page as HTML. */
export function pageHtml(page: Page, base: string): Html {
  const described = new Set(
    page.blocks.flatMap((block) => (block.kind === 'fields' ? [block.id] : [])),
  )
  const linking: FieldLinking = {
    base,
    shapeHref: (name) => (described.has(shapeId(name)) ? `#${shapeId(name)}` : undefined),
  }
  return html`${page.blocks.map((block) => blockHtml(block, linking))}`
}

function blockHtml(block: Block, linking: FieldLinking): Html {
  switch (block.kind) {
    case 'text':
      return html`<p>${inlineHtml(block.text, linking)}</p>`
    case 'heading':
      return html`<h2 id="${block.id}">${block.text}</h2>`
    case 'list':
      return html`<ul>${block.items.map((line) => html`<li>${inlineHtml(line, linking)}</li>`)}</ul>`
    case 'table':
      return tableHtml(block, linking)
    case 'samples':
      return sampleFigures(block.samples)
    case 'fields':
      return html`<section${block.id && html` id="${block.id}"`} class="shape"><h2>${block.title}</h2>${fieldList(block.fields, linking)}</section>`
    case 'links':
      return html`<section aria-labelledby="${block.id}"><h2 id="${block.id}">${block.title}</h2><ul class="links">${block.rows.map((row) => rowHtml(row, linking))}</ul></section>`
    case 'stamp':
      return html`<p class="stamp">${block.text}</p>`
    case 'receipt':
      return html`<dl class="receipt" aria-label="${block.title}">${block.rows.map(({ name, href, value }) => html`<div><dt><a href="${addressOf(href, linking)}">${name}</a></dt><dd><code>${value}</code></dd></div>`)}</dl>`
    case 'operation':
      return operationHtml(block, linking)
  }
}

const rowHtml = ({ title, href, about, mark }: LinkRow, linking: FieldLinking): Html =>
  html`<li>${mark && html`<span class="method m-${mark.toLowerCase()}">${mark}</span>`}<span class="row"><a href="${addressOf(href, linking)}">${title}</a> <span class="about">${inlineHtml(about, linking)}</span></span></li>`

function tableHtml(block: Extract<Block, { kind: 'table' }>, linking: FieldLinking): Html {
  const { caption, head, rows, ids } = block
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head.map((item) => html`<th scope="col">${item}</th>`)}</tr></thead><tbody>${rows.map((cells, at) => html`<tr${ids && html` id="${ids[at]}"`}>${cells.map((cell) => html`<td>${inlineHtml(cell, linking)}</td>`)}</tr>`)}</tbody></table></div>`
}
