import type { StoreContext } from '../../api/store.ts'
import type { Column } from '../../kit/list.tsx'

/** The maximum number of records in a file. It limits the calls and the memory of the page. */
export const EXPORTED_RECORDS_MAX = 50_000

type Row = Record<string, unknown>

/** The first page of a list, and all of its records. */
type ExportedList = PromiseLike<{ pagination: { total: number } }> & AsyncIterable<object>

/** The lists that are exported whole, by their area in the API. */
export const EXPORTED_LISTS = {
  orders: ({ api }: StoreContext) => api.orders.list(),
  customers: ({ api }: StoreContext) => api.customers.list(),
  products: ({ api }: StoreContext) => api.products.list(),
  coupons: ({ api }: StoreContext) => api.coupons.list(),
  subscriptions: ({ api }: StoreContext) => api.subscriptions.list(),
  returns: ({ api }: StoreContext) => api.returns.list(),
} satisfies Record<string, (store: StoreContext) => ExportedList>
export type ExportedArea = keyof typeof EXPORTED_LISTS

/** A field with the same value in every record of a list. */
const CONSTANT_FIELD = 'object'

/** Reads all records of a list, page by page, until the limit or until it is stopped. */
export async function readAll(
  list: ExportedList,
  { onRead, isStopped }: { onRead: (n: number, total: number) => void; isStopped: () => boolean },
): Promise<Row[] | undefined> {
  const total = Math.min((await list).pagination.total, EXPORTED_RECORDS_MAX)
  const rows: Row[] = []
  for await (const item of list) {
    if (isStopped()) return undefined
    rows.push(flattened(item as Row))
    if (rows.length % 100 === 0) onRead(rows.length, total)
    if (rows.length === EXPORTED_RECORDS_MAX) break
  }
  return rows
}

/** The fields of a record and of its inner objects, such as `customer.email`. */
function flattened(record: Row): Row {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      if (name === CONSTANT_FIELD) return []
      if (value === null || typeof value !== 'object') return [[name, value]]
      if (Array.isArray(value)) return [[name, listText(value)]]
      return Object.entries(value)
        .filter(
          ([inner, item]) =>
            inner !== CONSTANT_FIELD && (item === null || typeof item !== 'object'),
        )
        .map(([inner, item]) => [`${name}.${inner}`, item])
    }),
  )
}

/** A list of plain values, or the number of its records. */
const listText = (items: readonly unknown[]) =>
  items.some((item) => item !== null && typeof item === 'object') ? items.length : items.join('; ')

/** A column for each field that any record has. */
export function columnsOf(rows: readonly Row[]): Column<Row>[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  return [...names].map((name) => ({
    label: name,
    show: () => null,
    text: (row) => textOf(row[name]),
  }))
}

const textOf = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? value : String(value)
}
