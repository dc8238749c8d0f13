import { chart as texts } from '../text/chart.ts'
import { common } from '../text/common.ts'
import { downloadCsv } from './csv.ts'
import { formatPercent } from './format.ts'
import { type Column, Table } from './list.tsx'
import { Section } from './show.tsx'

interface RankingProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  hrefOf?: (row: Row) => string
  /** The value that the bar shows, and the whole that it is a share of; no bar without them. */
  amountOf?: (row: Row) => number
  whole?: number
  file: string
}

/** A section of rows by size, with a bar for the share of each. It is a table, so it needs no twin. */
export function Ranking<Row>(props: RankingProps<Row>) {
  const { columns, rows, amountOf, whole = 0, file, ...rest } = props
  const shareOf = (row: Row) => (whole > 0 ? Math.max(0, (amountOf?.(row) ?? 0) / whole) : 0)
  const share: Column<Row> = {
    label: texts.share,
    isNumber: true,
    show: (row) => <Share of={shareOf(row)} />,
    text: (row) => shareOf(row).toFixed(4),
  }
  const all = amountOf ? [...columns, share] : columns
  return (
    <Section
      title={rest.label}
      actions={
        <button type="button" onClick={() => downloadCsv(file, all, rows)}>
          {common.exportCsv}
        </button>
      }
    >
      <Table {...rest} rows={rows} columns={all} />
    </Section>
  )
}

const Share = ({ of }: { of: number }) => (
  <span className="share">
    <meter aria-hidden="true" min={0} max={1} value={of} />
    <span>{formatPercent(of)}</span>
  </span>
)
