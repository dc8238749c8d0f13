import { type Call, LazyCall, type RawAnswer } from './call.ts'

/**
 * `await` returns one page. `for await` returns every record of every page and fetches pages as needed.
 * Orders and customers are read with a cursor, so that a record that is created during the loop shifts no other. Other
 * pages are read by offset: use an ascending `sort` if records may be created, and change records after the loop.
 */
export interface List<Page, Item> extends Call<Page>, AsyncIterable<Item> {}

type Query = Record<string, unknown>

interface AnyPage {
  [field: string]: unknown
  pagination?: { offset: number; limit: number; has_more: boolean; next_cursor?: string | null }
  next_cursor?: unknown
}

/** The largest page size (decision 44), so that a loop needs the fewest calls. */
const PAGE_MAX = 100

/** A list that sends no request until it is awaited or iterated. */
export class Listing extends LazyCall<AnyPage> implements List<AnyPage, unknown> {
  override readonly [Symbol.toStringTag] = 'List'
  readonly #load: (query: Query) => Promise<RawAnswer<AnyPage>>
  readonly #field: string
  readonly #query: Query

  constructor(load: (query: Query) => Promise<RawAnswer<AnyPage>>, field: string, query: Query) {
    super(() => load(query))
    this.#load = load
    this.#field = field
    this.#query = query
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    const query = { ...this.#query, limit: this.#query.limit ?? PAGE_MAX }
    let next: Query | undefined = {}
    while (next) {
      const { data }: RawAnswer<AnyPage> = await this.#load({ ...query, ...next })
      yield* data[this.#field] as unknown[]
      next = nextOf(data)
    }
  }
}

function nextOf({ pagination, next_cursor }: AnyPage): Query | undefined {
  // A cursor and an offset exclude each other.
  if (pagination?.next_cursor) return { cursor: pagination.next_cursor, offset: undefined }
  if (pagination?.has_more) return { offset: pagination.offset + pagination.limit }
  return next_cursor == null ? undefined : { cursor: next_cursor }
}
