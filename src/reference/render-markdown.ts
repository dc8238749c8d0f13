import type { Block, LinkRow, ReferencePage, Sample } from './blocks.ts'
import type { Field } from './fields.ts'
import { addressOf, inlineMarkdown, type LinkBase, markdownHref } from './inline.ts'
import type { Operation } from './model.ts'

/** Renders the content of a page as Markdown. */
export function pageMarkdown(page: ReferencePage, links: LinkBase): string {
  const blocks = page.blocks.map((block) => blockMarkdown(block, links))
  return `${[`# ${page.title}`, page.description, ...blocks].join('\n\n')}\n`
}

function blockMarkdown(block: Block, links: LinkBase): string {
  switch (block.kind) {
    case 'text':
      return inlineMarkdown(block.text, links)
    case 'heading':
      return `${block.level === 3 ? '###' : '##'} ${block.text}`
    case 'list':
      return block.items
        .map((line, n) => `${block.isOrdered ? `${n + 1}.` : '-'} ${inlineMarkdown(line, links)}`)
        .join('\n')
    case 'table':
      return tableMarkdown(block, links)
    case 'samples':
      return block.samples.map(sampleMarkdown).join('\n\n')
    case 'fields':
      return [`## ${block.title}`, fieldLines(block.fields)].join('\n\n')
    case 'links':
      return [
        `## ${block.title}`,
        block.rows.map((row) => rowMarkdown(row, links)).join('\n'),
      ].join('\n\n')
    case 'badge':
      return `**${block.text}**`
    case 'addresses':
      return block.rows
        .map(({ name, href, value }) => `- [${name}](${linkOf(href, links)}): ${value}`)
        .join('\n')
    case 'operation':
      return operationMarkdown(block, links)
  }
}

const linkOf = (href: string, links: LinkBase): string => addressOf(markdownHref(href), links)

const rowMarkdown = ({ title, href, about, mark }: LinkRow, links: LinkBase): string =>
  `- ${mark ? `${mark} ` : ''}[${title}](${linkOf(href, links)}): ${inlineMarkdown(about, links)}`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function tableMarkdown(block: Extract<Block, { kind: 'table' }>, links: LinkBase): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((item) => cell(inlineMarkdown(item, links))).join(' | ')} |`
  const rule = `| ${block.head.map(() => ':-').join(' | ')} |`
  return [`${block.caption}:`, '', row(block.head), rule, ...block.rows.map(row)].join('\n')
}

/** The fence is longer than any run of backticks in the text. */
function sampleMarkdown({ label, language, text }: Sample): string {
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${label}:\n\n${fence}${language}\n${text}\n${fence}`
}

/** Renders a line for each field, with nested fields indented. */
const fieldLines = (fields: readonly Field[], depth = 0): string =>
  fields.flatMap((field) => [fieldLine(field, depth), ...childLines(field, depth)]).join('\n')

const childLines = ({ children }: Field, depth: number): string[] =>
  children.length > 0 ? [fieldLines(children, depth + 1)] : []

function fieldLine(field: Field, depth: number): string {
  const { name, type, required, description, bounds, values } = field
  const allowedValues =
    values.length > 0 ? [`one of ${values.map((value) => `\`${value}\``).join(', ')}`] : []
  const facts = [type, ...(required ? ['always present'] : []), ...bounds, ...allowedValues].join(
    '; ',
  )
  return `${'  '.repeat(depth)}- \`${name}\` (${facts})${description ? `: ${description}` : ''}`
}

function operationMarkdown(
  { operation, samples, answer }: Extract<Block, { kind: 'operation' }>,
  links: LinkBase,
): string {
  const { id, method, path, summary, description, access, parameters, body } = operation
  return [
    `## ${id}`,
    `\`${method} ${path}\``,
    inlineMarkdown(summary, links),
    description && inlineMarkdown(description, links),
    access,
    group('Path parameters', parameters.path),
    group('Query parameters', parameters.query),
    group('Headers', parameters.header),
    body?.description,
    ...(body?.forms ?? []).flatMap(({ type, fields, choices }) =>
      (choices.length > 0 ? choices : [fields]).map((item) => group(`Body (${type})`, item)),
    ),
    group(`Answer ${operation.answer.status}`, operation.answer.fields, 'answer'),
    refusals(operation, links),
    ...samples.map(sampleMarkdown),
    answer && sampleMarkdown({ ...answer, label: `Answer ${answer.label}` }),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function group(
  title: string,
  fields: readonly Field[],
  context: 'request' | 'answer' = 'request',
): string {
  if (fields.length === 0) return ''
  const lines = fieldLines(fields)
  return `### ${title}\n\n${context === 'request' ? lines.replaceAll('; always present', '; required') : lines}`
}

function refusals({ refusals: all }: Operation, links: LinkBase): string {
  const lines = all.map(({ status, code }) =>
    code
      ? `[${status} ${code}](${linkOf(`/docs/errors/${code}`, links)})`
      : `[${status}](${linkOf(`/docs/security#status-${status}`, links)})`,
  )
  return `Errors: ${lines.join(', ')}`
}
