import { chart as texts } from '../text/chart.ts'
import { CsvButton } from './csv-button.tsx'
import { formatPercent } from './format.ts'
import { Section } from './show.tsx'
import { type Column, Table } from './table.tsx'

interface RankingProps<Row> {
  label: string
  /** A sentence above the table. */
  lead?: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  hrefOf?: (row: Row) => string
  /** The value of a row's bar. Without it there is no column of bars. */
  amountOf?: (row: Row) => number
  /** The value of a full bar. */
  total?: number
  file: string
}

/**
 * A section with rows sorted by size, and a bar for the share of each. Unlike a chart it needs no view as a table.
 */
export function Ranking<Row>(props: RankingProps<Row>) {
  const { columns, rows, amountOf, total = 0, file, lead, ...rest } = props
  const shareOf = (row: Row) => (total > 0 ? Math.max(0, (amountOf?.(row) ?? 0) / total) : 0)
  const shareColumn: Column<Row> = {
    label: texts.share,
    isRightAligned: true,
    show: (row) => <Share share={shareOf(row)} />,
    text: (row) => shareOf(row).toFixed(4),
  }
  const shownColumns = amountOf ? [...columns, shareColumn] : columns
  return (
    <Section
      title={rest.label}
      actions={<CsvButton file={file} columns={shownColumns} rows={rows} />}
    >
      {lead && <p className="secondary-text">{lead}</p>}
      <Table {...rest} rows={rows} columns={shownColumns} />
    </Section>
  )
}

const Share = ({ share }: { share: number }) => (
  <span className="share">
    <meter aria-hidden="true" min={0} max={1} value={share} />
    <span>{formatPercent(share)}</span>
  </span>
)
