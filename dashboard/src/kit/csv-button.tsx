import { loadOpenedCode } from '../api/load-code.ts'
import { common } from '../text/common.ts'
import { connection } from '../text/connection.ts'
import type { CsvColumn } from './csv-text.ts'
import { toast } from './toast.tsx'

interface CsvButtonProps<Row> {
  /** The beginning of the name of the file. */
  file: string
  columns: readonly CsvColumn<Row>[]
  rows: readonly Row[]
}

/** The button that saves shown rows in a file. Its code is loaded with the first file. */
export function CsvButton<Row>({ file, columns, rows }: CsvButtonProps<Row>) {
  const save = () =>
    loadOpenedCode(() => import('./csv.ts')).then(
      ({ downloadCsv }) => downloadCsv(file, columns, rows),
      () => toast(connection.partMissing),
    )
  return (
    <button type="button" onClick={() => void save()}>
      {common.exportCsv}
    </button>
  )
}
