import { loadOpenedCode } from '../api/load-code.ts'
import { type StoreContext, useRead } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { lists } from '../text/lists.ts'
import type { Column } from './column.ts'
import { formatNumber } from './format.ts'
import type { ListAnswer } from './list-answer.ts'
import { readRows } from './read-rows.ts'
import { Failure } from './states.tsx'
import { toast } from './toast.tsx'

/** The maximum number of records in an exported file. */
const EXPORT_MAX = 10_000

/** Reads the records of a list that match a query. */
export type ReadRows<Row> = (
  store: StoreContext,
  query: Record<string, string | number>,
) => PromiseLike<ListAnswer<Row>>

export interface ExportProps<Row> {
  queryKey: readonly string[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  read: ReadRows<Row>
  query: Record<string, string>
}

export const isExported = <Row,>({ text, money }: Column<Row>) =>
  text !== undefined || money !== undefined

/** The button that saves all records of the list in a file. */
export function Export<Row>({ queryKey, columns, keyOf, read, query }: ExportProps<Row>) {
  const exported = useRead(
    [...queryKey, 'export', query],
    (store) => readRows((position) => read(store, { ...query, ...position }), { max: EXPORT_MAX }),
    { enabled: false },
  )
  const run = async () => {
    const { data, isError } = await exported.refetch()
    // After a failed read `data` has the records of the previous export.
    if (isError || !data) return
    await saveRows({ name: queryKey.join('-'), columns, keyOf, rows: data.rows })
    if (data.isIncomplete) toast(fill(lists.csvIncomplete, { n: formatNumber(data.rows.length) }))
  }
  return (
    <>
      <button type="button" onClick={run} disabled={exported.isFetching}>
        {common.exportCsv}
      </button>
      {exported.isError && !exported.isFetching && <Failure error={exported.error} retry={run} />}
    </>
  )
}

interface SavedRows<Row> extends Pick<ExportProps<Row>, 'columns' | 'keyOf'> {
  /** The beginning of the name of the file. */
  name: string
  rows: readonly Row[]
}

const loadFileCode = () => Promise.all([import('./csv.ts'), import('./list-file.ts')])

async function saveRows<Row>({ name, columns, keyOf, rows }: SavedRows<Row>): Promise<void> {
  const [{ downloadCsv }, { fileColumns }] = await loadOpenedCode(loadFileCode)
  downloadCsv(name, fileColumns(columns, keyOf, rows), rows)
}

/** The button that saves the chosen rows of a list in a file. */
export const ExportRows = <Row,>(saved: SavedRows<Row>) => (
  <button type="button" onClick={() => saveRows(saved)}>
    {lists.exportChosen}
  </button>
)
