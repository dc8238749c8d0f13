import type { Field } from './fields.ts'
import type { Operation } from './model.ts'

/** A program or a document that a reader can copy. */
export interface Sample {
  label: string
  language: 'sh' | 'ts' | 'json' | 'http' | 'text'
  text: string
}

export interface LinkRow {
  title: string
  href: string
  about: string
  /** A label before the title, such as an HTTP method. */
  mark?: string
}

/**
 * The content of a page. HTML and Markdown are two renderings of the same blocks. Texts are lines
 * of inline Markdown.
 */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string; id: string; level?: 3 }
  | { kind: 'list'; items: string[]; isOrdered?: true }
  | { kind: 'table'; caption: string; head: string[]; rows: string[][]; ids?: string[] }
  | { kind: 'samples'; samples: Sample[] }
  | { kind: 'fields'; title: string; id?: string; fields: Field[] }
  | { kind: 'links'; title: string; id: string; rows: LinkRow[] }
  | { kind: 'badge'; text: string }
  | { kind: 'addresses'; title: string; rows: { name: string; href: string; value: string }[] }
  | { kind: 'operation'; operation: Operation; samples: Sample[]; answer: Sample | undefined }

export interface ReferencePage {
  /** The path, without the base path of the public URL. */
  href: string
  title: string
  /** One plain sentence, for search results and link previews. */
  description: string
  status?: number
  blocks: Block[]
}
