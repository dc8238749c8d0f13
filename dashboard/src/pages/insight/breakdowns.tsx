import type { SalesSummary, TopCustomer, TopProduct } from '../../api/store.ts'
import { moneyUnit, type Unit, withUnit } from '../../kit/chart-units.ts'
import { formatNumber, humanize } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { Ranking } from '../../kit/ranking.tsx'
import { Section } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { countryName } from '../../kit/words.ts'
import { analytics } from '../../text/analytics.ts'

interface BreakdownProps {
  summary: SalesSummary
}

type CountryRow = SalesSummary['by_country'][number]
type MethodRow = SalesSummary['by_payment_method'][number]

export function moneyColumn<Row>(
  label: string,
  unit: Unit,
  numberOf: (row: Row) => number,
): Column<Row> {
  return {
    label: withUnit(label, unit),
    isRightAligned: true,
    show: (row) => <span className="money">{unit.format(numberOf(row))}</span>,
    text: (row) => unit.exported(numberOf(row)),
  }
}

export function countColumn<Row>(label: string, numberOf: (row: Row) => number): Column<Row> {
  return { label, isRightAligned: true, show: (row) => formatNumber(numberOf(row)), text: numberOf }
}

export function Products({ summary }: BreakdownProps) {
  const unit = moneyUnit(summary.currency)
  if (summary.top_products.length === 0) return <EmptySection title={analytics.products} />
  return (
    <Ranking<TopProduct>
      label={analytics.products}
      rows={summary.top_products}
      keyOf={({ product_id }) => product_id}
      hrefOf={({ product_id }) => `/products/${product_id}`}
      columns={[
        { label: analytics.product, show: ({ name }) => name, text: ({ name }) => name },
        countColumn(analytics.units, ({ units_sold }) => units_sold),
        moneyColumn(analytics.gross, unit, ({ gross_cents }) => gross_cents),
      ]}
      amountOf={({ gross_cents }) => gross_cents}
      total={summary.gross_cents}
      file="sales-products"
    />
  )
}

export function Countries({ summary }: BreakdownProps) {
  const unit = moneyUnit(summary.currency)
  if (summary.by_country.length === 0) return null
  return (
    <Ranking<CountryRow>
      label={analytics.countries}
      rows={summary.by_country}
      keyOf={({ country }) => country ?? ''}
      columns={[
        {
          label: analytics.country,
          show: ({ country }) => (country === null ? analytics.unknown : countryName(country)),
          text: ({ country }) => country && countryName(country),
        },
        countColumn(analytics.ordersPaid, ({ orders_count }) => orders_count),
        moneyColumn(analytics.gross, unit, ({ gross_cents }) => gross_cents),
      ]}
      amountOf={({ gross_cents }) => gross_cents}
      total={summary.gross_cents}
      file="sales-countries"
    />
  )
}

export function Methods({ summary }: BreakdownProps) {
  const unit = moneyUnit(summary.currency)
  if (summary.by_payment_method.length === 0) return null
  const nameOf = ({ payment_method }: MethodRow) =>
    payment_method === null ? analytics.unknown : humanize(payment_method)
  return (
    <Ranking<MethodRow>
      label={analytics.methods}
      rows={summary.by_payment_method}
      keyOf={({ payment_method }) => payment_method ?? ''}
      columns={[
        { label: analytics.method, show: nameOf, text: ({ payment_method }) => payment_method },
        countColumn(analytics.ordersPaid, ({ orders_count }) => orders_count),
        moneyColumn(analytics.gross, unit, ({ gross_cents }) => gross_cents),
      ]}
      amountOf={({ gross_cents }) => gross_cents}
      total={summary.gross_cents}
      file="sales-methods"
    />
  )
}

export function Customers({ summary }: BreakdownProps) {
  const unit = moneyUnit(summary.currency)
  if (summary.top_customers.length === 0) return null
  return (
    <Ranking<TopCustomer>
      label={analytics.customers}
      rows={summary.top_customers}
      keyOf={({ customer_id }) => customer_id}
      hrefOf={({ customer_id }) => `/customers/${customer_id}`}
      columns={[
        { label: analytics.customer, show: ({ email }) => email, text: ({ email }) => email },
        countColumn(analytics.ordersPaid, ({ orders_count }) => orders_count),
        moneyColumn(analytics.spent, unit, ({ spent_cents }) => spent_cents),
      ]}
      file="sales-customers"
    />
  )
}

const EmptySection = ({ title }: { title: string }) => (
  <Section title={title}>
    <Empty>{analytics.nothing}</Empty>
  </Section>
)
