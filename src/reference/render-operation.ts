import type { Block } from './blocks.ts'
import type { Field } from './fields.ts'
import { type Html, html } from './html.ts'
import { addressOf, inlineHtml } from './inline.ts'
import type { BodyForm, Operation } from './model.ts'
import { type FieldLinking, fieldList } from './render-fields.ts'
import { sampleFigures } from './render-samples.ts'

type OperationBlock = Extract<Block, { kind: 'operation' }>

/** An operation: its input and output on one side, samples on the other. */
export function operationHtml(block: OperationBlock, linking: FieldLinking): Html {
  const { operation, samples, answer } = block
  const { id, summary, description, access, method, path } = operation
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="says">
<h2 id="${id}-title">${inlineHtml(summary.replace(/\.$/, ''), linking)}</h2>
<p class="route"><span class="method m-${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>
<p class="id"><a href="#${id}"><code>${id}</code></a></p>
${paragraphs(description).map((text) => html`<p>${inlineHtml(text, linking)}</p>`)}
${access && html`<p>${inlineHtml(access, linking)}</p>`}
${group('Path parameters', operation.parameters.path, linking)}
${group('Query parameters', operation.parameters.query, linking)}
${group('Headers', operation.parameters.header, linking)}
${operation.body && bodyHtml(operation.body, linking)}
${answerHtml(operation, linking)}
${refusalsHtml(operation, linking)}
</div>
<div class="shows">${sampleFigures(samples)}${tryButton(operation)}${answer && sampleFigures([{ ...answer, label: `Answer ${answer.label}` }])}</div>
</section>`
}

const paragraphs = (text: string): string[] => text.split('\n\n').filter(Boolean)

/** Allows line breaks in a long path after each slash. */
const breakable = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

const group = (title: string, fields: readonly Field[], linking: FieldLinking) =>
  fields.length > 0 && html`<h3>${title}</h3>${fieldList(fields, linking, 'required')}`

const FORM_NAMES: Record<string, string> = {
  'multipart/form-data': 'As a form',
  'application/octet-stream': 'As bare bytes',
}

function bodyHtml({ required, forms }: NonNullable<Operation['body']>, linking: FieldLinking) {
  const note = required ? '' : 'The body may be left out.'
  return html`<h3>Body</h3>${note && html`<p>${note}</p>`}${forms.map((form) => formHtml(form, linking))}`
}

function formHtml({ type, fields, choices }: BodyForm, linking: FieldLinking): Html {
  const title = FORM_NAMES[type]
  const heading = title && html`<p class="form">${title}: <code>${type}</code></p>`
  const octets =
    type === 'application/octet-stream' &&
    html`<p>The bytes of the file are the body; text fields stand in the query.</p>`
  const lists = choices.length > 0 ? choices : [fields]
  return html`${heading}${octets}${lists
    .filter((item) => item.length > 0)
    .map(
      (item, at) =>
        html`${at > 0 && html`<p class="form">or</p>`}${fieldList(item, linking, 'required')}`,
    )}`
}

function answerHtml({ answer: { status, type, fields } }: Operation, linking: FieldLinking): Html {
  const bytes = type === 'application/octet-stream' && html`<p>The bytes of the file.</p>`
  return html`<h3>Answer <span class="status">${status}</span></h3>${bytes}${
    fields.length > 0 && fieldList(fields, linking)
  }${!bytes && fields.length === 0 && html`<p>Only <code>success</code>.</p>`}`
}

function refusalsHtml({ refusals, api }: Operation, linking: FieldLinking): Html {
  const links = refusals.map(({ status, code }) => {
    const href = code ? `/docs/errors/${code}` : `/docs/security#status-${status}`
    const name = code ? html`${status} <code>${code}</code>` : html`${status}`
    return html`<li><a href="${addressOf(href, linking)}">${name}</a></li>`
  })
  const title = api === 'store' ? `Errors (${refusals.length})` : 'Statuses of refusals'
  return html`<details class="errors"><summary>${title}</summary><ul>${links}</ul></details>`
}

/** Made visible by the script. Only for JSON calls with an API key. */
function tryButton(operation: Operation) {
  const { id, method, path, ids, credential, body, answer, parameters } = operation
  const isPlain = !body || body.forms.some(({ type }) => type === 'application/json')
  const hasKey = credential === 'store key' || credential === 'security key'
  if (!isPlain || !hasKey || answer.type !== 'application/json') return false
  const call = {
    id,
    method,
    path,
    ids,
    key: credential === 'store key' ? 'sk_test_' : 'sec_test_',
    query: parameters.query.map(({ name }) => name),
    ...(body && { body: body.example ?? {} }),
  }
  return html`<button type="button" class="try" data-call="${JSON.stringify(call)}" hidden>Try ${id}</button>`
}
