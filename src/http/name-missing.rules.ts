import { NotFoundError, notFound } from '../kernel/errors.ts'

/** Nouns of paths for which the code has another word. */
const IN_PATHS: Record<string, string> = { endpoint: 'webhook', variant: 'license policy' }

/**
 * Replaces a generic not-found error by one that names the record in the path, with the id of the
 * request.
 */
export function nameMissing(error: unknown, path: string, rawParams: unknown): unknown {
  if (!(error instanceof NotFoundError) || error.id !== undefined) return error
  const kind = error.kind.toLowerCase()
  const params = paramsIn(path)
  const param = params.find(({ noun }) => isSame(noun, kind)) ?? params.find(isAlias(kind))
  return param ? missingAt(param, rawParams) : error
}

/** The refusal of a malformed id; it is the same as for an id that does not exist. */
export function malformed(path: string, name: PropertyKey | undefined, rawParams: unknown) {
  const param = paramsIn(path).find((item) => item.name === name)
  return param ? missingAt(param, rawParams) : notFound('Record')
}

interface Param {
  name: string
  /** The noun of the record, from the path. */
  noun: string
}

/** Records whose parameter has the name of another record. */
const NOUNS: Record<string, string> = { invoice_id: 'conversion' }

/** Parameters of `/orders/:id/manual-payments/:payment_id`: an order and a payment. */
function paramsIn(path: string): Param[] {
  return [...path.matchAll(/([a-z-]+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    noun:
      NOUNS[name] ?? (name.endsWith('_id') ? name.slice(0, -'_id'.length) : singular(collection)),
  }))
}

/** The record's name where it is not the singular of the list's name. */
const RECORDS_IN: Record<string, string> = { blocklist: 'blocklist entry' }

const singular = (collection: string): string =>
  RECORDS_IN[collection] ?? collection.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')

/**
 * True also if one noun ends with the other: "Stock alert" and alert, "File" and serverside file.
 */
const isSame = (noun: string, kind: string): boolean =>
  noun === kind || noun.endsWith(` ${kind}`) || kind.endsWith(` ${noun}`)

const isAlias =
  (kind: string) =>
  ({ noun }: Param): boolean =>
    IN_PATHS[kind] === noun

const missingAt = ({ name, noun }: Param, rawParams: unknown) =>
  notFound(noun, String((rawParams as Record<string, unknown>)[name] ?? ''))
