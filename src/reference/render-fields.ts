import type { Field } from './fields.ts'
import { type Html, html } from './html.ts'
import { inlineHtml, type LinkBase } from './inline.ts'

/** The targets of the links of a page. */
export interface PageLinks extends LinkBase {
  /** Returns the anchor of a named shape; undefined if the page does not describe it. */
  shapeHref(name: string): string | undefined
}

/** Request fields are marked as required; fields of answers are not. */
type FieldContext = 'request' | 'answer'

export const fieldList = (
  fields: readonly Field[],
  links: PageLinks,
  context: FieldContext = 'answer',
): Html => html`<ul class="fields">${fields.map((field) => fieldItem(field, links, context))}</ul>`

function fieldItem(field: Field, links: PageLinks, context: FieldContext): Html {
  const { name, required, description, bounds, values, children } = field
  return html`<li><p class="field"><code class="name">${name}</code> ${typeHtml(field, links)}${
    required && context === 'request' && html` <span class="required">required</span>`
  }</p>${description && html`<p class="about">${inlineHtml(description, links)}</p>`}${
    bounds.length > 0 && html`<p class="bounds">${inlineHtml(bounds.join(' · '), links)}</p>`
  }${values.length > 0 && valueList(values)}${
    children.length > 0 &&
    html`<details><summary>${`Fields of ${name}`}</summary>${fieldList(children, links, context)}</details>`
  }</li>`
}

function typeHtml({ type, shape }: Field, links: PageLinks): Html {
  const href = shape === undefined ? undefined : links.shapeHref(shape)
  if (shape === undefined || href === undefined) return html`<span class="type">${type}</span>`
  const [before = '', after = ''] = type.split(shape)
  return html`<span class="type">${before}<a href="${href}">${shape}</a>${after}</span>`
}

const VALUES_SHOWN = 40

function valueList(values: readonly string[]): Html {
  const shownValues = values.slice(0, VALUES_SHOWN).map((value) => html` <code>${value}</code>`)
  const hiddenCount = values.length - VALUES_SHOWN
  return html`<p class="bounds">One of${shownValues}${hiddenCount > 0 && ` and ${hiddenCount} more`}</p>`
}
