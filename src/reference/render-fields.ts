import type { Field } from './fields.ts'
import { type Html, html } from './html.ts'
import { inlineHtml, type Linking } from './inline.ts'

/** The anchor of a named shape; undefined if the page does not describe it. */
export interface FieldLinking extends Linking {
  shapeHref(name: string): string | undefined
}

/** "required" is printed for request fields only. */
type FieldContext = 'required' | 'nothing'

export const fieldList = (
  fields: readonly Field[],
  linking: FieldLinking,
  context: FieldContext = 'nothing',
): Html => html`<ul class="fields">${fields.map((field) => item(field, linking, context))}</ul>`

function item(field: Field, linking: FieldLinking, context: FieldContext): Html {
  const { name, required, description, bounds, values, children } = field
  return html`<li><p class="field"><code class="name">${name}</code> ${typeHtml(field, linking)}${
    required && context === 'required' && html` <span class="required">required</span>`
  }</p>${description && html`<p class="about">${inlineHtml(description, linking)}</p>`}${
    bounds.length > 0 && html`<p class="bounds">${inlineHtml(bounds.join(' · '), linking)}</p>`
  }${values.length > 0 && valueList(values)}${
    children.length > 0 &&
    html`<details><summary>${`Fields of ${name}`}</summary>${fieldList(children, linking, context)}</details>`
  }</li>`
}

function typeHtml({ type, shape }: Field, linking: FieldLinking): Html {
  const href = shape === undefined ? undefined : linking.shapeHref(shape)
  if (shape === undefined || href === undefined) return html`<span class="type">${type}</span>`
  const [before = '', after = ''] = type.split(shape)
  return html`<span class="type">${before}<a href="${href}">${shape}</a>${after}</span>`
}

const VALUES_SHOWN = 40

function valueList(values: readonly string[]): Html {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => html` <code>${value}</code>`)
  const more = values.length - VALUES_SHOWN
  return html`<p class="bounds">One of${shown}${more > 0 && ` and ${more} more`}</p>`
}
