import { truncate } from '../../../kernel/truncate.ts'
import { type Placeholder, partsOf, type TextPart } from './placeholders.rules.ts'

/** A line of an order in a mail. */
export interface MailItem {
  label: string
  note?: string
  amount?: string
}

/** The delivered keys and texts of a line of an order. */
export interface KeyGroup {
  title: string
  /** They must be copied exactly. */
  keys: string[]
  notes: string[]
}

/** The values of the placeholders. A missing value is empty. */
export type MailValues = Partial<
  Record<Exclude<Placeholder, 'items' | 'keys'>, string | null> & {
    items: readonly MailItem[]
    keys: readonly KeyGroup[]
  }
>

/** A part of a line of text: words, or a URL. */
export interface Span {
  text: string
  isUrl?: boolean
}

/** A part of a mail, before it is rendered as HTML or as plain text. */
export type Block =
  | { kind: 'lines'; lines: Span[][] }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'items'; items: readonly MailItem[] }
  | { kind: 'keys'; groups: readonly KeyGroup[] }

/** The placeholders for URLs, which become a button if they are alone on a line. */
const URLS = ['order_url', 'tracking_url', 'link'] as const satisfies readonly Placeholder[]
type UrlPlaceholder = (typeof URLS)[number]
export type ButtonLabels = Record<UrlPlaceholder, string>

const isUrlPlaceholder = (name: Placeholder): name is UrlPlaceholder =>
  (URLS as readonly Placeholder[]).includes(name)

/** The maximum length of a filled subject. The names of many items could make it longer. */
const SUBJECT_SHOWN_MAX = 200

const NAME_MAX = 64

/** An address, also one that mail programs make a link of, such as `evil.com`, and characters that are not seen. */
const LINK_IN_NAME =
  /[/@:\u2044\u2215\uff0f\p{Cf}]|www\.|[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}{2}/iu

/**
 * Returns the name of a customer, or an empty text for a name that could carry a message: anyone can order for the
 * address of somebody else.
 */
export const greetableName = (name: string | null): string =>
  name === null || name.length > NAME_MAX || LINK_IN_NAME.test(name) ? '' : name

/** Line breaks, other control characters and those that reverse the direction of text. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

const oneLine = (text: string): string => text.replace(UNSAFE, ' ').trim()

/** Returns the value of a placeholder as one line of text. */
function lineOf(values: MailValues, name: Placeholder): string {
  if (name === 'items') return (values.items ?? []).map(({ label }) => oneLine(label)).join(', ')
  if (name === 'keys')
    return (values.keys ?? []).flatMap(({ keys, notes }) => [...keys, ...notes]).join(', ')
  const text = oneLine(values[name] ?? '')
  return isUrlPlaceholder(name) && !/^https?:\/\//i.test(text) ? '' : text
}

/** Fills a subject. The result is one line. */
export function fillSubject(subject: string, values: MailValues): string {
  const parts = partsOf(subject).map((part) =>
    'text' in part ? part.text : lineOf(values, part.placeholder),
  )
  return truncate(oneLine(parts.join('')), SUBJECT_SHOWN_MAX)
}

/**
 * Fills the text of a body. Placeholders are replaced in one pass, so a value with the text of a placeholder stays that
 * text. A paragraph or a line whose only placeholder is empty is left out.
 */
export function fillBody(body: string, values: MailValues, labels: ButtonLabels): Block[] {
  const paragraphs = body.replaceAll('\r\n', '\n').split(/\n(?:[ \t]*\n)+/)
  return paragraphs.flatMap((paragraph) => {
    const text = paragraph.trim()
    if (text === '' || isLeftOut(partsOf(text), values)) return []
    const lines = text.split('\n').map((line) => partsOf(line.trim()))
    return joinLines(
      lines
        .filter((parts) => !isLeftOut(parts, values))
        .map((parts) => blockOf(parts, values, labels)),
    )
  })
}

/** Returns true if the parts have placeholders of one name, and its value is empty. */
function isLeftOut(parts: readonly TextPart[], values: MailValues): boolean {
  const names = new Set(parts.flatMap((part) => ('text' in part ? [] : [part.placeholder])))
  const [name] = names
  return names.size === 1 && name !== undefined && lineOf(values, name) === ''
}

function blockOf(parts: readonly TextPart[], values: MailValues, labels: ButtonLabels): Block {
  const [only] = parts
  const name = parts.length === 1 && only && !('text' in only) ? only.placeholder : undefined
  if (name === 'items') return { kind: 'items', items: values.items ?? [] }
  if (name === 'keys') return { kind: 'keys', groups: values.keys ?? [] }
  if (name !== undefined && isUrlPlaceholder(name))
    return { kind: 'button', label: labels[name], url: lineOf(values, name) }
  return { kind: 'lines', lines: [parts.map((part) => spanOf(part, values))] }
}

const spanOf = (part: TextPart, values: MailValues): Span =>
  'text' in part
    ? part
    : {
        text: lineOf(values, part.placeholder),
        ...(isUrlPlaceholder(part.placeholder) && { isUrl: true }),
      }

/** Joins lines of text that follow each other to one block. */
function joinLines(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (block.kind === 'lines' && last?.kind === 'lines') last.lines.push(...block.lines)
    else joined.push(block)
  }
  return joined
}
