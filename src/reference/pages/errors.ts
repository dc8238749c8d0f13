import { REFUSALS } from '../../http/openapi/errors.ts'
import { CODES, type Code } from '../../kernel/errors.ts'
import type { Block, ReferencePage } from '../blocks.ts'
import { CURES } from '../cures.ts'
import { ALL_CODES, type Operation, type ReferenceModel } from '../model.ts'

const REQUEST_ID = 'req_0000cB7rTqk2XWm91VzLdE'
const GROUPS: [string, (status: number) => boolean][] = [
  ['The key and its permissions', (status) => status === 401 || status === 403],
  ['The request', (status) => [400, 404, 405, 413, 415, 422, 431].includes(status)],
  ['The state of the record', (status) => status === 409],
  ['Limits and availability', (status) => status === 429 || status >= 500],
]

/** Returns the list of all error codes, and a page for each code. */
export const errorPagesOf = (model: ReferenceModel): ReferencePage[] => [
  errorList(),
  ...ALL_CODES.map((code) => errorPage(code, model)),
]

const errorList = (): ReferencePage => ({
  href: '/docs/errors',
  title: 'Errors',
  description: 'The form of a refusal, and every error code with a remedy.',
  blocks: [
    {
      kind: 'text',
      text: 'A refusal of the Store API has a `code` for programs, an `error` for people, and the `request_id` for support requests. Some refusals have `details`. Branch on `code`, because the text of `error` may change.',
    },
    { kind: 'samples', samples: [sampleOf('VALIDATION_FAILED')] },
    ...GROUPS.map(
      ([title, isIn]): Block => ({
        kind: 'links',
        title,
        id: title.toLowerCase().replace(/[^a-z]+/g, '-'),
        rows: ALL_CODES.filter((code) => isIn(CODES[code])).map((code) => ({
          mark: String(CODES[code]),
          title: code,
          href: `/docs/errors/${code}`,
          about: REFUSALS[code].meaning,
        })),
      }),
    ),
    {
      kind: 'text',
      text: 'Refusals of the Client Security API have no code: see [its statuses](/docs/security#refusals).',
    },
  ],
})

function errorPage(code: Code, model: ReferenceModel): ReferencePage {
  const { meaning } = REFUSALS[code]
  return {
    href: `/docs/errors/${code}`,
    title: code,
    description: meaning.replaceAll('`', ''),
    blocks: [
      { kind: 'badge', text: `HTTP ${CODES[code]}` },
      { kind: 'heading', text: 'What to do', id: 'cure' },
      { kind: 'text', text: CURES[code] },
      { kind: 'heading', text: 'Example', id: 'body' },
      { kind: 'samples', samples: [sampleOf(code)] },
      ...operationsWith(code, model),
    ],
  }
}

const LINKS_MAX = 20

function operationsWith(code: Code, { areas }: ReferenceModel): Block[] {
  const all = areas.filter(({ api }) => api === 'store').flatMap(({ operations }) => operations)
  const matches = all.filter(({ refusals }) => refusals.some((item) => item.code === code))
  const heading: Block = {
    kind: 'heading',
    text: 'Operations that can return it',
    id: 'operations',
  }
  if (matches.length === all.length || matches.length === 0) {
    return [heading, { kind: 'text', text: 'Any call of the Store API.' }]
  }
  if (matches.length > LINKS_MAX) {
    const text = `Operations of the Store API: ${matches.length}. Each of them lists this code on its page.`
    return [heading, { kind: 'text', text }]
  }
  const hrefOf = (operation: Operation) =>
    areas.find((area) => area.operations.includes(operation))?.href ?? ''
  const rows = matches.map((operation) => ({
    mark: operation.method,
    title: operation.id,
    href: `${hrefOf(operation)}#${operation.id}`,
    about: operation.summary,
  }))
  return [{ kind: 'links', title: 'Operations that can return it', id: 'operations', rows }]
}

function sampleOf(code: Code) {
  const { error, details } = REFUSALS[code]
  const body = { success: false, code, error, ...(details && { details }), request_id: REQUEST_ID }
  return { label: `${CODES[code]}`, language: 'json' as const, text: JSON.stringify(body, null, 2) }
}
