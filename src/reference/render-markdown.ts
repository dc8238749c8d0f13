import type { Block, LinkRow, Page, Sample } from './blocks.ts'
import type { Field } from './fields.ts'
import { addressOf, inlineMarkdown, type Linking, markdownHref } from './inline.ts'
import type { Operation } from './model.ts'

/** The content of a page as Markdown. */
export function pageMarkdown(page: Page, linking: Linking): string {
  const blocks = page.blocks.map((block) => blockMarkdown(block, linking))
  return `${[`# ${page.title}`, page.description, ...blocks].join('\n\n')}\n`
}

function blockMarkdown(block: Block, linking: Linking): string {
  switch (block.kind) {
    case 'text':
      return inlineMarkdown(block.text, linking)
    case 'heading':
      return `## ${block.text}`
    case 'list':
      return block.items.map((line) => `- ${inlineMarkdown(line, linking)}`).join('\n')
    case 'table':
      return tableMarkdown(block, linking)
    case 'samples':
      return block.samples.map(sampleMarkdown).join('\n\n')
    case 'fields':
      return [`## ${block.title}`, fieldLines(block.fields)].join('\n\n')
    case 'links':
      return [
        `## ${block.title}`,
        block.rows.map((row) => rowMarkdown(row, linking)).join('\n'),
      ].join('\n\n')
    case 'stamp':
      return `**${block.text}**`
    case 'receipt':
      return block.rows
        .map(({ name, href, value }) => `- [${name}](${linkOf(href, linking)}): ${value}`)
        .join('\n')
    case 'operation':
      return operationMarkdown(block, linking)
  }
}

const linkOf = (href: string, linking: Linking): string => addressOf(markdownHref(href), linking)

const rowMarkdown = ({ title, href, about, mark }: LinkRow, linking: Linking): string =>
  `- ${mark ? `${mark} ` : ''}[${title}](${linkOf(href, linking)}): ${inlineMarkdown(about, linking)}`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function tableMarkdown(block: Extract<Block, { kind: 'table' }>, linking: Linking): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((item) => cell(inlineMarkdown(item, linking))).join(' | ')} |`
  const rule = `| ${block.head.map(() => ':-').join(' | ')} |`
  return [`${block.caption}:`, '', row(block.head), rule, ...block.rows.map(row)].join('\n')
}

/** The fence is longer than any within the text. */
function sampleMarkdown({ label, language, text }: Sample): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${label}:\n\n${fence}${language}\n${text}\n${fence}`
}

/** One line for each field; nested fields are indented. */
const fieldLines = (fields: readonly Field[], depth = 0): string =>
  fields.flatMap((field) => [fieldLine(field, depth), ...inside(field, depth)]).join('\n')

const inside = ({ children }: Field, depth: number): string[] =>
  children.length > 0 ? [fieldLines(children, depth + 1)] : []

function fieldLine(field: Field, depth: number): string {
  const { name, type, required, description, bounds, values } = field
  const allowed =
    values.length > 0 ? [`allowed of ${values.map((value) => `\`${value}\``).join(', ')}`] : []
  const facts = [type, ...(required ? ['always there'] : []), ...bounds, ...allowed].join('; ')
  return `${'  '.repeat(depth)}- \`${name}\` (${facts})${description ? `: ${description}` : ''}`
}

function operationMarkdown(
  { operation, samples, answer }: Extract<Block, { kind: 'operation' }>,
  linking: Linking,
): string {
  const { id, method, path, summary, description, access, parameters, body } = operation
  return [
    `## ${id}`,
    `\`${method} ${path}\``,
    inlineMarkdown(summary, linking),
    description && inlineMarkdown(description, linking),
    access,
    group('Path parameters', parameters.path),
    group('Query parameters', parameters.query),
    group('Headers', parameters.header),
    ...(body?.forms ?? []).flatMap(({ type, fields, choices }) =>
      (choices.length > 0 ? choices : [fields]).map((item) => group(`Body (${type})`, item)),
    ),
    group(`Answer ${operation.answer.status}`, operation.answer.fields, 'answer'),
    refusals(operation, linking),
    ...samples.map(sampleMarkdown),
    answer && sampleMarkdown({ ...answer, label: `Answer ${answer.label}` }),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function group(title: string, fields: readonly Field[], side: 'sent' | 'answer' = 'sent'): string {
  if (fields.length === 0) return ''
  const lines = fieldLines(fields)
  return `### ${title}\n\n${side === 'sent' ? lines.replaceAll('; always there', '; required') : lines}`
}

function refusals({ refusals: all }: Operation, linking: Linking): string {
  const lines = all.map(({ status, code }) =>
    code
      ? `[${status} ${code}](${linkOf(`/docs/errors/${code}`, linking)})`
      : `[${status}](${linkOf(`/docs/security#status-${status}`, linking)})`,
  )
  return `Errors: ${lines.join(', ')}`
}
