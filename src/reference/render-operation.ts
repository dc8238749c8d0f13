import type { Block } from './blocks.ts'
import type { Field } from './fields.ts'
import { type Html, html } from './html.ts'
import { addressOf, inlineHtml } from './inline.ts'
import type { BodyForm, Operation } from './model.ts'
import { fieldList, type PageLinks } from './render-fields.ts'
import { sampleFigures } from './render-samples.ts'

type OperationBlock = Extract<Block, { kind: 'operation' }>

/** Renders an operation: a column with the description, input and output, and a column with samples. */
export function operationHtml(block: OperationBlock, links: PageLinks): Html {
  const { operation, samples, answer } = block
  const { id, summary, description, access, method, path } = operation
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="says">
<h2 id="${id}-title">${inlineHtml(summary.replace(/\.$/, ''), links)}</h2>
<p class="route"><span class="method m-${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>
<p class="id"><a href="#${id}"><code>${id}</code></a></p>
${paragraphs(description).map((text) => html`<p>${inlineHtml(text, links)}</p>`)}
${access && html`<p>${inlineHtml(access, links)}</p>`}
${group('Path parameters', operation.parameters.path, links)}
${group('Query parameters', operation.parameters.query, links)}
${group('Headers', operation.parameters.header, links)}
${operation.body && bodyHtml(operation.body, links)}
${answerHtml(operation, links)}
${refusalsHtml(operation, links)}
</div>
<div class="shows">${sampleFigures(samples)}${tryButton(operation)}${answer && sampleFigures([{ ...answer, label: `Answer ${answer.label}` }])}</div>
</section>`
}

const paragraphs = (text: string): string[] => text.split('\n\n').filter(Boolean)

/** Allows line breaks in a long path after each slash. */
const breakable = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

const group = (title: string, fields: readonly Field[], links: PageLinks) =>
  fields.length > 0 && html`<h3>${title}</h3>${fieldList(fields, links, 'request')}`

const FORM_NAMES: Record<string, string> = {
  'multipart/form-data': 'As a form',
  'application/octet-stream': 'As raw bytes',
}

function bodyHtml(body: NonNullable<Operation['body']>, links: PageLinks) {
  const { description, required, forms } = body
  const note = required ? description : 'The body can be omitted.'
  return html`<h3>Body</h3>${note && html`<p>${note}</p>`}${forms.map((form) => formHtml(form, links))}`
}

function formHtml({ type, fields, choices }: BodyForm, links: PageLinks): Html {
  const title = FORM_NAMES[type]
  const heading = title && html`<p class="form">${title}: <code>${type}</code></p>`
  const bytesNote =
    type === 'application/octet-stream' &&
    html`<p>The body is the bytes of the file. Send the text fields in the query.</p>`
  const alternatives = choices.length > 0 ? choices : [fields]
  return html`${heading}${bytesNote}${alternatives
    .filter((item) => item.length > 0)
    .map(
      (item, index) =>
        html`${index > 0 && html`<p class="form">or</p>`}${fieldList(item, links, 'request')}`,
    )}`
}

function answerHtml({ answer: { status, type, fields } }: Operation, links: PageLinks): Html {
  const bytesNote = type === 'application/octet-stream' && html`<p>The bytes of the file.</p>`
  return html`<h3>Answer <span class="status">${status}</span></h3>${bytesNote}${
    fields.length > 0 && fieldList(fields, links)
  }${!bytesNote && fields.length === 0 && html`<p>Only <code>success</code>.</p>`}`
}

function refusalsHtml({ refusals, api }: Operation, links: PageLinks): Html {
  const items = refusals.map(({ status, code }) => {
    const href = code ? `/docs/errors/${code}` : `/docs/security#status-${status}`
    const name = code ? html`${status} <code>${code}</code>` : html`${status}`
    return html`<li><a href="${addressOf(href, links)}">${name}</a></li>`
  })
  const title = api === 'store' ? `Errors (${refusals.length})` : 'Statuses of refusals'
  return html`<details class="errors"><summary>${title}</summary><ul>${items}</ul></details>`
}

/** A button that the script makes visible, for JSON calls with an API key. */
function tryButton(operation: Operation) {
  const { id, method, path, ids, credential, body, answer, parameters } = operation
  const isJson = !body || body.forms.some(({ type }) => type === 'application/json')
  const hasKey = credential === 'store key' || credential === 'security key'
  if (!isJson || !hasKey || answer.type !== 'application/json') return false
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
