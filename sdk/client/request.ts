import { randomKey } from './random-key.ts'

/** The error of a call whose id is none, such as NaN, so that it was not sent. */
export class NoIdError extends TypeError {}

/** An operation of the API, as data. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  takes?: 'query' | 'body'
  /** The field of the answer that has the records of a page. */
  list?: string
  /** Set if the method returns the `Response` itself, whose body is not read. */
  raw?: true
}

/** The body of a request. Each repeat sends the same bytes. */
export interface Content {
  type: string
  bytes: string | Blob
}

export type Input = Record<string, unknown>

/** Returns the address of a call. Ids are escaped, so that an id cannot change the path. */
export function urlOf(base: string, path: string, ids: readonly unknown[], query: Input): string {
  let index = 0
  const filledPath = path.replace(/:(\w+)/g, (_, name) => pathSegment(name, ids[index++]))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    // String() joins the values of a list with commas.
    search.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  const queryText = String(search)
  return queryText === '' ? base + filledPath : `${base}${filledPath}?${queryText}`
}

function pathSegment(name: string, id: unknown): string {
  const isText = typeof id === 'string' && !/^\.{0,2}$/.test(id)
  if (isText || Number.isSafeInteger(id)) return encodeURIComponent(String(id))
  throw new NoIdError(`"${name}" has to be an id, but it is ${id === '' ? 'empty' : String(id)}.`)
}

/** Returns a body as JSON, or as a form if it has a file. */
export function contentOf(body: Input | undefined): Content | undefined {
  if (body === undefined) return undefined
  const { file, ...fields } = body
  if (file instanceof Blob) return formOf(file, fields)
  if (file !== undefined) {
    throw new TypeError(
      '"file" has to be a Blob or a File. For a path, use await openAsBlob(path).',
    )
  }
  return { type: 'application/json', bytes: JSON.stringify(body) }
}

/**
 * Builds a form without FormData. A repeat must send the same boundary, because an idempotency key is bound to
 * the bytes of the body. The file is not copied into memory.
 */
function formOf(file: Blob, fields: Input): Content {
  const boundary = `tradepost-${randomKey()}`
  const part = (name: string, attributes = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${escapeQuotes(name)}"${attributes}\r\n`
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${part(name)}\r\n${value}\r\n`],
  )
  const { name = 'file' } = file as { name?: string }
  const type = file.type || 'application/octet-stream'
  const head = `${part('file', `; filename="${escapeQuotes(name)}"`)}content-type: ${type}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: new Blob([...texts, head, file, `\r\n--${boundary}--\r\n`]),
  }
}

const ESCAPES: Record<string, string> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
const escapeQuotes = (text: string) =>
  text.replace(/["\r\n]/g, (character) => ESCAPES[character] ?? '')
