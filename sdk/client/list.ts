/**
 * `await` returns one page. `for await` returns every record of every page and fetches pages as needed.
 * Pages are offsets: a record that is created or deleted meanwhile shifts the records after it. So use an
 * ascending `sort` if new records may appear, and change records after the loop.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {}

type Query = Record<string, unknown>

interface AnyPage {
  [field: string]: unknown
  pagination?: { offset: number; limit: number; has_more: boolean }
  next_cursor?: unknown
}

/** The largest page size (decision 44), for the fewest calls. */
const WALK_LIMIT = 100

/** A list that sends no request until it is awaited or iterated. */
export class Listing implements List<AnyPage, unknown> {
  readonly [Symbol.toStringTag] = 'List'
  readonly #load: (query: Query) => Promise<AnyPage>
  readonly #field: string
  readonly #query: Query
  #page: Promise<AnyPage> | undefined

  constructor(load: (query: Query) => Promise<AnyPage>, field: string, query: Query) {
    this.#load = load
    this.#field = field
    this.#query = query
  }

  #first(): Promise<AnyPage> {
    this.#page ??= this.#load(this.#query)
    return this.#page
  }

  // biome-ignore lint/suspicious/noThenProperty: the list is a promise of its first page.
  then<A = AnyPage, B = never>(
    done?: ((page: AnyPage) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#first().then(done, failed)
  }

  catch<B = never>(failed?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<AnyPage | B> {
    return this.#first().catch(failed)
  }

  finally(last?: (() => void) | null): Promise<AnyPage> {
    return this.#first().finally(last)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    const query = { ...this.#query, limit: this.#query.limit ?? WALK_LIMIT }
    let next: Query | undefined = {}
    while (next) {
      const page: AnyPage = await this.#load({ ...query, ...next })
      yield* page[this.#field] as unknown[]
      next = nextOf(page)
    }
  }
}

function nextOf({ pagination, next_cursor }: AnyPage): Query | undefined {
  if (pagination?.has_more) return { offset: pagination.offset + pagination.limit }
  return next_cursor == null ? undefined : { cursor: next_cursor }
}
