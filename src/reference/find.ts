import { STATUS_CODES } from 'node:http'
import type MiniSearch from 'minisearch'
import type { Options } from 'minisearch'
import { CODES, type Code } from '../kernel/errors.ts'
import type { Block, ReferencePage } from './blocks.ts'
import { plainText } from './inline.ts'
import type { ReferenceModel } from './model.ts'

/** An entry of the search index, as results show it. */
export interface SearchEntry {
  title: string
  kind: string
  href: string
  about: string
}

/** An entry with the text in which it is found. */
interface IndexedEntry extends SearchEntry {
  text: string
  /** True for a page of a guide. */
  isPage?: true
  /** Another name: the method and path of an operation, or the text of the status of an error. */
  alias?: string | undefined
}

export interface Search {
  entries: readonly SearchEntry[]
  /** Returns the entries for a text, the best first. */
  find(searchText: string, limit: number): Promise<SearchEntry[]>
}

/** Words that say nothing about the subject of a question. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or the to use what when where which why with you'.split(
    ' ',
  ),
)
/** Further words are ignored, because each costs time. */
const WORDS_MAX = 8
const WORD_LENGTH_MAX = 40

/** Creates the search over entries. The index is built at the first search. */
export function openSearch(entries: readonly IndexedEntry[]): Search {
  let opened: Promise<OpenedIndex> | undefined
  const loadIndex = () => {
    opened ??= buildIndex(entries)
    return opened
  }
  return {
    entries: entries.map(shown),
    async find(searchText, limit) {
      const words = wordsOf(searchText).slice(0, WORDS_MAX)
      if (words.length === 0) return []
      const name = searchText.trim().toLowerCase()
      const isNamed = ({ title, alias = '' }: IndexedEntry) =>
        title.toLowerCase() === name || withoutBase(alias.toLowerCase()) === withoutBase(name)
      const { index: searchIndex, terms } = await loadIndex()
      const query = words.map((word) => withExchangedLetters(word, terms)).join(' ')
      const all = searchIndex.search(query)
      const any = all.length > 0 ? all : searchIndex.search(query, { combineWith: 'OR' })
      const found = any.flatMap(({ id }) => entries[id] ?? [])
      return [...entries.filter(isNamed), ...found.filter((entry) => !isNamed(entry))]
        .slice(0, limit)
        .map(shown)
    },
  }
}

/** Leaves the base of the API out of a call such as `post /v1/orders`. */
const withoutBase = (call: string): string => call.replace(/ \/(?:security\/)?v1\//, ' /')

interface OpenedIndex {
  index: MiniSearch<NumberedEntry>
  /** All words of the index. */
  terms: ReadonlySet<string>
}

async function buildIndex(entries: readonly IndexedEntry[]): Promise<OpenedIndex> {
  const { default: Index } = await import('minisearch')
  const terms = new Set<string>()
  const index = new Index<NumberedEntry>({
    ...OPTIONS,
    processTerm(word) {
      const term = termOf(word)
      if (term) terms.add(term)
      return term ?? null
    },
  })
  await index.addAllAsync(entries.map((entry, id) => ({ ...entry, id })))
  return { index, terms }
}

/** Returns the known word with two neighbouring letters exchanged, since the index counts this as two edits. */
function withExchangedLetters(word: string, terms: ReadonlySet<string>): string {
  if (terms.has(termOf(word) ?? '')) return word
  const variants = [...word].map(
    (_, n) => word.slice(0, n) + (word[n + 1] ?? '') + word[n] + word.slice(n + 2),
  )
  return variants.find((variant) => terms.has(termOf(variant) ?? '')) ?? word
}

const shown = ({ title, kind, href, about }: IndexedEntry): SearchEntry => ({
  title,
  kind,
  href,
  about,
})

const tokenize = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u)

/** Returns the form in which a word is indexed; undefined for a word without a meaning of its own. */
function termOf(word: string): string | undefined {
  const term = word.toLowerCase().slice(0, WORD_LENGTH_MAX)
  if (term === '' || STOP_WORDS.has(term)) return undefined
  // `refunded`, `refunding` and `refunds` are found with `refund`.
  return term.length > 4 ? term.replace(/(?:ing|ed|es|s)$/, '') : term
}

const wordsOf = (text: string): string[] => tokenize(text).filter((word) => termOf(word))

/** Returns the number of edits. Numbers, such as a status, have no near ones. */
const editsOf = (term: string): number | false => {
  if (/\d/.test(term) || term.length < 4) return false
  return term.length < 6 ? 1 : 2
}

type NumberedEntry = IndexedEntry & { id: number }

const OPTIONS: Options<NumberedEntry> = {
  storeFields: ['isPage'],
  fields: ['title', 'kind', 'about', 'text'],
  tokenize,
  searchOptions: {
    boost: { title: 4, about: 2 },
    prefix: (term) => term.length > 2,
    fuzzy: editsOf,
    weights: { fuzzy: 0.3, prefix: 0.6 },
    combineWith: 'AND',
    processTerm: (word) => termOf(word) ?? null,
    // A whole page says more about a subject than a part of it.
    boostDocument: (_id, _term, stored) => (stored?.isPage ? 1.5 : 1),
  },
}

const KIND_GUIDE = 'Guide'

/** Returns the entries of all guides with their sections, operations, events and error codes. */
export function entriesOf(
  model: ReferenceModel,
  guides: readonly ReferencePage[],
  errors: readonly ReferencePage[],
): IndexedEntry[] {
  const operations = model.areas.flatMap(({ href, name, operations }) =>
    operations.map(
      ({ id, method, path, summary, description }): IndexedEntry => ({
        title: id,
        kind: method,
        alias: `${method} ${path}`,
        href: `${href}#${id}`,
        about: `${plainText(summary)} ${path}`,
        text: `${name} ${plainText(description)}`,
      }),
    ),
  )
  const events = model.events.map(
    ({ type, summary }): IndexedEntry => ({
      title: type,
      kind: 'Event',
      href: `/docs/events/${type}`,
      about: plainText(summary),
      text: '',
    }),
  )
  return [
    ...guides.flatMap(sectionsOf),
    ...operations,
    ...events,
    ...errors.map(
      ({ title, href, description, blocks }): IndexedEntry => ({
        title,
        kind: 'Error',
        href,
        about: description,
        alias: STATUS_CODES[CODES[title as Code]],
        text: `${CODES[title as Code]} ${textOf(blocks)}`,
      }),
    ),
  ]
}

/** Returns an entry for a page, and one for each of its sections. */
function sectionsOf({ title, href, description, blocks }: ReferencePage): IndexedEntry[] {
  const starts = blocks.flatMap((block, n) => (block.kind === 'heading' ? [{ block, n }] : []))
  const page = {
    title,
    kind: KIND_GUIDE,
    href,
    about: description,
    text: textOf(blocks.slice(0, starts[0]?.n)),
    isPage: true as const,
  }
  const sections = starts.map(({ block, n }, index) => ({
    title: block.text,
    kind: KIND_GUIDE,
    href: `${href}#${block.id}`,
    about: [title, parentOf(starts, index)].filter(Boolean).join(': '),
    text: textOf(blocks.slice(n + 1, starts[index + 1]?.n)),
  }))
  return [page, ...sections]
}

type Heading = Extract<Block, { kind: 'heading' }>

/** Returns the heading of the section of which this one is a part. */
const parentOf = (starts: readonly { block: Heading }[], index: number): string | undefined =>
  starts[index]?.block.level === 3
    ? starts.slice(0, index).findLast(({ block }) => block.level !== 3)?.block.text
    : undefined

/** Returns the words of blocks, without programs. */
const textOf = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'text') return [block.text]
      if (block.kind === 'list') return block.items
      return block.kind === 'table' ? block.rows.flat() : []
    })
    .map(plainText)
    .join(' ')
