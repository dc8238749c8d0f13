/** An answer with its HTTP parts. */
export interface RawAnswer<T> {
  /** The answer, as `await` on the call returns it. */
  data: T
  /** The HTTP status, 200 to 299. */
  status: number
  headers: Headers
  /** The body of the response. */
  text: string
  /** The id of this call (`req_…`), for support and for the request log of the dashboard. */
  requestId: string | undefined
}

/** A promise of the answer to a call. */
export interface Call<T> extends Promise<T> {
  /** The same answer with its status, headers and body. It sends no second request. */
  raw(): Promise<RawAnswer<T>>
}

/** A call that is sent once, when it is first used. */
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
    onFulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#data().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#data().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#data().finally(onFinally)
  }

  #data(): Promise<T> {
    return this.raw().then(({ data }) => data)
  }
}
