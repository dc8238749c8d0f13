import type { Block, Sample } from '../blocks.ts'
import { plainText } from '../inline.ts'

/** Returns the address of a linked file; undefined if it is no page, so that only the text of the link is kept. */
type HrefOf = (target: string) => string | undefined

interface Guide {
  title: string
  blocks: Block[]
}

/** The languages of fences, with their labels, and how a sample is coloured. */
const LANGUAGES: Record<string, [label: string, language: Sample['language']]> = {
  sh: ['Shell', 'sh'],
  console: ['Shell', 'text'],
  js: ['JavaScript', 'ts'],
  ts: ['TypeScript', 'ts'],
  json: ['JSON', 'json'],
  python: ['Python', 'text'],
  php: ['PHP', 'text'],
  go: ['Go', 'text'],
  sql: ['SQL', 'text'],
  ini: ['Service', 'text'],
  nginx: ['nginx', 'text'],
}

/** Reads a guide, as far as our guides use Markdown. Pictures are left out. */
export function readGuide(markdown: string, hrefOf: HrefOf): Guide {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let title = ''
  let heading = ''
  for (let n = 0; n < lines.length; ) {
    const line = lines[n] ?? ''
    const group = groupAt(lines, n)
    n += group.length
    if (line.trim() === '' || line.startsWith('<picture')) continue
    if (line.startsWith('# ')) title = line.slice(2)
    else {
      const block = blockOf(group, heading || title, (text) => withLinks(text, hrefOf))
      if (block.kind === 'heading') heading = block.text
      blocks.push(block)
    }
  }
  return { title, blocks }
}

const FENCE = '```'
const ITEM = /^(?:- |\d+\. )/
const HEADING = /^#{1,3} /

/** Returns the lines that belong together, beginning at a line. */
function groupAt(lines: readonly string[], start: number): string[] {
  const line = lines[start] ?? ''
  const isEnd = (test: (next: string) => boolean) => {
    const length = lines.slice(start + 1).findIndex(test)
    return length < 0 ? lines.length : start + 1 + length
  }
  if (line.trim() === '' || HEADING.test(line)) return [line]
  if (line.startsWith(FENCE)) return lines.slice(start, isEnd((next) => next === FENCE) + 1)
  return lines.slice(
    start,
    isEnd((next) => next.trim() === '' || HEADING.test(next) || next.startsWith(FENCE)),
  )
}

function blockOf(group: readonly string[], title: string, inline: (text: string) => string): Block {
  const [first = ''] = group
  const [, marks, headingText] = /^(#{2,3}) (.*)$/.exec(first) ?? []
  if (marks !== undefined && headingText !== undefined) {
    const text = plainText(headingText)
    return { kind: 'heading', text, id: slugOf(text), ...(marks === '###' && { level: 3 }) }
  }
  if (first.startsWith(FENCE)) return sampleOf(group)
  if (first.startsWith('|')) return tableOf(group, title, inline)
  if (ITEM.test(first)) {
    const items = group.map((line) => inline(line.replace(ITEM, '')))
    return { kind: 'list', items, ...(first.startsWith('- ') ? {} : { isOrdered: true }) }
  }
  return { kind: 'text', text: inline(group.join(' ')) }
}

function sampleOf(group: readonly string[]): Block {
  const name = group[0]?.slice(FENCE.length) ?? ''
  const [label, language] = LANGUAGES[name] ?? ['Text', 'text']
  return { kind: 'samples', samples: [{ label, language, text: group.slice(1, -1).join('\n') }] }
}

function tableOf(
  [head = '', , ...rows]: readonly string[],
  caption: string,
  inline: (text: string) => string,
): Block {
  const cells = (line: string) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|')))
  return { kind: 'table', caption, head: cells(head), rows: rows.map(cells) }
}

const LINK = /\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)/g

/** Changes links to other guides into links to their pages. */
const withLinks = (text: string, hrefOf: HrefOf): string =>
  text.replace(LINK, (link, label: string, target: string) => {
    if (/^(https?:|\/|#)/.test(target)) return link
    const href = hrefOf(target)
    return href === undefined ? label : `[${label}](${href})`
  })

/** Returns the id of a heading, as GitHub makes it, so that links work in both places. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
