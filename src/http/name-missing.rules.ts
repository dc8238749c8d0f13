import { NotFoundError, notFound } from '../kernel/errors.ts'

/** The kinds of records for which paths have another noun. */
const PATH_NOUNS: Record<string, string> = { endpoint: 'webhook', variant: 'license policy' }

/**
 * Replaces a generic not-found error with one that names the record in the path and its id.
 */
export function nameMissingRecord(error: unknown, path: string, rawParams: unknown): unknown {
  if (!(error instanceof NotFoundError) || error.id !== undefined) return error
  const kind = error.kind.toLowerCase().replaceAll('-', ' ')
  const params = paramsIn(path)
  const param = params.find(({ noun }) => isSame(noun, kind)) ?? params.find(isAlias(kind))
  return param ? missingAt(param, rawParams) : error
}

/** Returns the refusal of a malformed id, which equals that of an id that does not exist. */
export function malformedId(path: string, name: PropertyKey | undefined, rawParams: unknown) {
  const param = paramsIn(path).find((item) => item.name === name)
  return param ? missingAt(param, rawParams) : notFound('Record')
}

interface Param {
  name: string
  /** The noun of the record, from the path. */
  noun: string
}

/** The nouns of parameters that are named after another record. */
const PARAM_NOUNS: Record<string, string> = { invoice_id: 'conversion' }

/** Returns the parameters of a path: an order and a payment for `/orders/:id/manual-payments/:payment_id`. */
function paramsIn(path: string): Param[] {
  return [...path.matchAll(/([a-z-]+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    noun:
      PARAM_NOUNS[name] ??
      (name.endsWith('_id') ? name.slice(0, -'_id'.length) : singular(collection)),
  }))
}

/** The names of records that are not the singular of the collection's name. */
const RECORDS_IN: Record<string, string> = { blocklist: 'blocklist entry' }

const singular = (collection: string): string =>
  RECORDS_IN[collection] ?? collection.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')

/** Returns true if the nouns are equal or one ends with the other, such as "stock alert" and "alert". */
const isSame = (noun: string, kind: string): boolean =>
  noun === kind || noun.endsWith(` ${kind}`) || kind.endsWith(` ${noun}`)

const isAlias =
  (kind: string) =>
  ({ noun }: Param): boolean =>
    PATH_NOUNS[kind] === noun

const missingAt = ({ name, noun }: Param, rawParams: unknown) =>
  notFound(noun, String((rawParams as Record<string, unknown>)[name] ?? ''))
