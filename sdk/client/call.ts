/** An answer with its HTTP parts. */
export interface RawAnswer<T> {
  /** The answer, as `await` on the call returns it. */
  data: T
  /** The HTTP status, 200 to 299. */
  status: number
  headers: Headers
  /** The body, as it arrived. */
  text: string
  /** The id of this call (`req_…`), for support and for the request log of the dashboard. */
  requestId: string | undefined
}

/** A sent call: a promise of its answer. */
export interface Call<T> extends Promise<T> {
  /** The same answer with its status, headers and body. It sends no second request. */
  raw(): Promise<RawAnswer<T>>
}

/** A call that is sent when it is first used, and once. */
export class LazyCall<T> implements Call<T> {
  readonly [Symbol.toStringTag]: string = 'Call'
  readonly #send: () => Promise<RawAnswer<T>>
  #answer: Promise<RawAnswer<T>> | undefined

  constructor(send: () => Promise<RawAnswer<T>>) {
    this.#send = send
  }

  raw(): Promise<RawAnswer<T>> {
    this.#answer ??= this.#send()
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: the call is a promise of its answer.
  then<A = T, B = never>(
    done?: ((data: T) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#data().then(done, failed)
  }

  catch<B = never>(failed?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#data().catch(failed)
  }

  finally(last?: (() => void) | null): Promise<T> {
    return this.#data().finally(last)
  }

  #data(): Promise<T> {
    return this.raw().then(({ data }) => data)
  }
}
