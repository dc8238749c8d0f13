import type { ReactNode } from 'react'
import { Empty, Loaded, type Read } from './states.tsx'
import { Table, type TableProps } from './table.tsx'

interface LoadedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  read: Read<readonly Row[]>
  /** The number of rows of the loading state. */
  skeletonRows?: number
  /** The text if there are no rows. */
  empty: ReactNode
}

/** A table of all records of a read, with its loading, empty and error states. */
export const LoadedTable = <Row,>({
  read,
  skeletonRows,
  empty,
  ...table
}: LoadedTableProps<Row>) => (
  <Loaded read={read} {...(skeletonRows !== undefined && { rows: skeletonRows })}>
    {(rows) => (rows.length === 0 ? <Empty>{empty}</Empty> : <Table {...table} rows={rows} />)}
  </Loaded>
)
