/** The maximum length of the path and query of a page, in characters. */
const RETURN_PATH_MAX = 2_000

/** A page of a store with its query: printable ASCII without spaces, `#` and `\`. */
const PAGE_OF_STORE = /^\/[0-9A-Za-z]{12}(?:\/[!-"$->@-[\]-~]*)?(?:\?[!-"$-[\]-~]*)?$/

/** A segment that a browser removes together with the one before it, which could lead out of the dashboard. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?]|$)/i

/**
 * Returns the path below `/dashboard` to which a sign-in leads: the requested page if it is a page
 * of a store, else an empty path. The browser sends this value, so it never names another site.
 */
export const returnPathOf = (path: string | undefined): string =>
  path !== undefined &&
  path.length <= RETURN_PATH_MAX &&
  PAGE_OF_STORE.test(path) &&
  !DOT_SEGMENT.test(path)
    ? path
    : ''
