import { REFUSALS } from '../../http/openapi/errors.ts'
import { CODES, type Code } from '../../kernel/errors.ts'
import type { Block, Page } from '../blocks.ts'
import { CURES } from '../cures.ts'
import { ALL_CODES, type Operation, type ReferenceModel } from '../model.ts'

const REQUEST_ID = 'req_0000cB7rTqk2XWm91VzLdE'
const GROUPS: [string, (status: number) => boolean][] = [
  ['The key and its permissions', (status) => status === 401 || status === 403],
  ['The request', (status) => [400, 404, 405, 413, 415, 422, 431].includes(status)],
  ['The state of things', (status) => status === 409],
  ['Too many calls, or not now', (status) => status === 429 || status >= 500],
]

/** The list of all codes, and a page for each. */
export const errorPagesOf = (model: ReferenceModel): Page[] => [
  errorList(),
  ...ALL_CODES.map((code) => errorPage(code, model)),
]

const errorList = (): Page => ({
  href: '/docs/errors',
  title: 'Errors',
  description: 'The form of a refusal, and every code with its cure.',
  blocks: [
    {
      kind: 'text',
      text: 'A refusal of the Store API has a `code` for programs, an `error` for people, and the `request_id` to quote to support. Some have `details`. Branch on `code`: the words of `error` may change.',
    },
    { kind: 'samples', samples: [bodyOf('VALIDATION_FAILED')] },
    ...GROUPS.map(
      ([title, isIn]): Block => ({
        kind: 'links',
        title,
        id: title.toLowerCase().replace(/[^a-z]+/g, '-'),
        rows: ALL_CODES.filter((code) => isIn(CODES[code])).map((code) => ({
          mark: String(CODES[code]),
          title: code,
          href: `/docs/errors/${code}`,
          about: REFUSALS[code].means,
        })),
      }),
    ),
    {
      kind: 'text',
      text: 'Refusals of the Client Security API have no code: see [its statuses](/docs/security#refusals).',
    },
  ],
})

function errorPage(code: Code, model: ReferenceModel): Page {
  const { means } = REFUSALS[code]
  return {
    href: `/docs/errors/${code}`,
    title: code,
    description: means.replaceAll('`', ''),
    blocks: [
      { kind: 'stamp', text: `HTTP ${CODES[code]}` },
      { kind: 'heading', text: 'What to do', id: 'cure' },
      { kind: 'text', text: CURES[code] },
      { kind: 'heading', text: 'What it looks like', id: 'body' },
      { kind: 'samples', samples: [bodyOf(code)] },
      ...answeredBy(code, model),
    ],
  }
}

function answeredBy(code: Code, { areas }: ReferenceModel): Block[] {
  const all = areas.filter(({ api }) => api === 'store').flatMap(({ operations }) => operations)
  const own = all.filter(({ refusals }) => refusals.some((item) => item.code === code))
  const heading: Block = { kind: 'heading', text: 'Where it may come from', id: 'operations' }
  if (own.length === all.length || own.length === 0) {
    return [heading, { kind: 'text', text: 'Any call of the Store API.' }]
  }
  if (own.length > 20) {
    const title = `${own.length} operations of the Store API. Each of them lists this code on its own page.`
    return [heading, { kind: 'text', text: title }]
  }
  const hrefOf = (operation: Operation) =>
    areas.find((area) => area.operations.includes(operation))?.href ?? ''
  const rows = own.map((operation) => ({
    mark: operation.method,
    title: operation.id,
    href: `${hrefOf(operation)}#${operation.id}`,
    about: operation.summary,
  }))
  return [{ kind: 'links', title: 'Where it may come from', id: 'operations', rows }]
}

function bodyOf(code: Code) {
  const { error, details } = REFUSALS[code]
  const body = { success: false, code, error, ...(details && { details }), request_id: REQUEST_ID }
  return { label: `${CODES[code]}`, language: 'json' as const, text: JSON.stringify(body, null, 2) }
}
