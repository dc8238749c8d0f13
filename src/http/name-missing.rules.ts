import { NotFoundError, notFound } from '../kernel/errors.ts'

/** Words of the code for records that paths call otherwise. */
const IN_PATHS: Record<string, string> = { endpoint: 'webhook', variant: 'license policy' }

/** What a failure of a call says: a record that its path names is named with the id as it was sent. */
export function nameMissing(error: unknown, path: string, sent: unknown): unknown {
  if (!(error instanceof NotFoundError) || error.id !== undefined) return error
  const kind = error.kind.toLowerCase()
  const params = paramsIn(path)
  const named = params.find(({ noun }) => isSame(noun, kind)) ?? params.find(isAlias(kind))
  return named ? missingAt(named, sent) : error
}

/** The refusal of an id that cannot be one: it reads like one that does not exist. */
export function malformed(path: string, name: PropertyKey | undefined, sent: unknown) {
  const param = paramsIn(path).find((item) => item.name === name)
  return param ? missingAt(param, sent) : notFound('Record')
}

interface Param {
  name: string
  /** What it is the id of, in the words of the path. */
  noun: string
}

/** Parameters of `/orders/:id/manual-payments/:payment_id`: an order and a payment. */
function paramsIn(path: string): Param[] {
  return [...path.matchAll(/([a-z-]+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    noun: name.endsWith('_id') ? name.slice(0, -'_id'.length) : singular(collection),
  }))
}

/** Of a list that is called otherwise than its records. */
const RECORDS_IN: Record<string, string> = { blocklist: 'blocklist entry' }

const singular = (collection: string): string =>
  RECORDS_IN[collection] ?? collection.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')

/** "Stock alert" is the alert of a path, and "File" its serverside file. */
const isSame = (noun: string, kind: string): boolean =>
  noun === kind || noun.endsWith(` ${kind}`) || kind.endsWith(` ${noun}`)

const isAlias =
  (kind: string) =>
  ({ noun }: Param): boolean =>
    IN_PATHS[kind] === noun

const missingAt = ({ name, noun }: Param, sent: unknown) =>
  notFound(noun, String((sent as Record<string, unknown>)[name] ?? ''))
