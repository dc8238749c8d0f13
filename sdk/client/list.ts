/**
 * Awaited, one page. In `for await`, every record of every page, fetched as you go. Pages are
 * counted from the front: a record that comes or goes meanwhile moves the ones behind it. So walk
 * with a rising `sort` where new records may come, and change records after the walk.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {}

type Query = Record<string, unknown>

interface AnyPage {
  [field: string]: unknown
  pagination?: { offset: number; limit: number; has_more: boolean }
  next_cursor?: unknown
}

/** As many as a page may have (decision 44): the fewest calls. */
const WALK_LIMIT = 100

/** Nothing is sent until the list is awaited or walked. */
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

  // biome-ignore lint/suspicious/noThenProperty: it is a promise of its first page.
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
