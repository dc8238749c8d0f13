import type { SalesChange, SalesSummary } from '../../api/store.ts'
import { CsvButton } from '../../kit/csv-button.tsx'
import { formatMoney, formatNumber, formatPercent } from '../../kit/format.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { Section } from '../../kit/show.tsx'
import { analytics } from '../../text/analytics.ts'
import { language } from '../../text/catalogue.ts'

type Field = keyof SalesChange

const ROWS: readonly [Field, string][] = [
  ['net_cents', analytics.net],
  ['gross_cents', analytics.gross],
  ['discount_cents', analytics.discounts],
  ['shipping_cents', analytics.shipping],
  ['refunded_cents', analytics.refunded],
  ['orders_count', analytics.ordersPaid],
  ['completed_count', analytics.completed],
  ['conversion_rate', analytics.completionRate],
  ['average_order_cents', analytics.average],
  ['units_sold', analytics.units],
  ['new_customers', analytics.newCustomers],
  ['returning_customers', analytics.returning],
]

const signed = new Intl.NumberFormat(language, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

interface Row {
  field: Field
  label: string
  value: string
  before: string
  change: string
}

function textOf(field: Field, value: number, currency: string): string {
  if (field === 'conversion_rate') return formatPercent(value)
  return field.endsWith('_cents') ? formatMoney(value, currency) : formatNumber(value)
}

const COLUMNS: readonly Column<Row>[] = [
  { label: analytics.figure, show: ({ label }) => label, text: ({ label }) => label },
  {
    label: analytics.period,
    isRightAligned: true,
    show: ({ value }) => value,
    text: ({ value }) => value,
  },
  {
    label: analytics.previous,
    isRightAligned: true,
    show: ({ before }) => before,
    text: ({ before }) => before,
  },
  {
    label: analytics.change,
    isRightAligned: true,
    show: ({ change }) => change,
    text: ({ change }) => change,
  },
]

/** Every total of the period, compared with the previous period. */
export function Totals({ summary }: { summary: SalesSummary }) {
  const { currency, previous, change_percent } = summary
  const rows = ROWS.map(([field, label]): Row => {
    const change = change_percent?.[field]
    return {
      field,
      label,
      value: textOf(field, summary[field], currency),
      before: previous ? textOf(field, previous[field], currency) : '–',
      change: change == null ? '–' : signed.format(change / 100),
    }
  })
  return (
    <Section
      title={analytics.totals}
      actions={<CsvButton file="sales-totals" columns={COLUMNS} rows={rows} />}
    >
      <Table label={analytics.totals} rows={rows} columns={COLUMNS} keyOf={({ field }) => field} />
    </Section>
  )
}
