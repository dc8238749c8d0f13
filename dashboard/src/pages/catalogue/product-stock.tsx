import { storeRequest } from '../../api/action.ts'
import type {
  Product,
  ProductSections,
  StockAlert,
  StockAlertsListQuery,
  Variant,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Consequence } from '../../kit/consequence.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List, Table } from '../../kit/list.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { Section, State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { ProductTab } from './product-frame.tsx'
import { ChangeStock } from './product-variants.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => (
      <>
        <VariantStocks sections={sections} isAllowed={isAllowed} />
        <Threshold product={sections.product} isAllowed={isAllowed} />
        <StockAlerts sections={sections} isAllowed={isAllowed} />
      </>
    )}
  </ProductTab>
)

interface SectionsProps {
  sections: ProductSections
  isAllowed: boolean
}

/** The stock of each variant, and the way to change it: its keys, or its number of units. */
const VariantStocks = ({ sections: { product, variants }, isAllowed }: SectionsProps) => (
  <Section title={products.variants}>
    <Table
      label={products.variants}
      rows={variants}
      keyOf={({ id }) => id}
      columns={[
        { label: productTabs.variant, show: ({ name }) => name },
        { label: products.type, show: ({ delivery_type }) => humanize(delivery_type) },
        { label: products.mode, show: ({ stock_mode }) => humanize(stock_mode) },
        {
          label: products.stock,
          isRightAligned: true,
          show: ({ stock_mode, stock_quantity }) =>
            stock_mode === 'unlimited' ? products.unlimited : formatNumber(stock_quantity),
        },
      ]}
      rowActions={(variant) => (
        <div className="actions">
          {variant.delivery_type === 'serial' && (
            <Link to={`/products/${product.id}/variants/${variant.id}/keys`}>{products.keys}</Link>
          )}
          {isAllowed && variant.stock_mode === 'manual' && (
            <ChangeStock product={product} variant={variant} />
          )}
        </div>
      )}
    />
  </Section>
)

function Threshold({ product, isAllowed }: { product: Product; isAllowed: boolean }) {
  const { id, stock_alert_threshold: threshold } = product
  return (
    <Section
      title={productTabs.threshold}
      actions={
        isAllowed && (
          <EditAction
            label={productTabs.setThreshold}
            record={product}
            read={async ({ api }) => (await api.products.get(id)).product}
            fields={(item) => [
              {
                name: 'stock_alert_threshold',
                label: products.stock,
                type: 'number',
                help: productTabs.thresholdHelp,
                value: item.stock_alert_threshold,
              },
            ]}
            submit={productTabs.setThreshold}
            request={(changed) => ({
              ...storeRequest('stockAlerts', 'setThreshold', id, {
                stock_alert_threshold: threshold,
                ...clearedAsNull(changed),
              }),
              area: 'products',
            })}
          />
        )
      }
    >
      <p>
        {threshold === null
          ? productTabs.noThreshold
          : fill(productTabs.thresholdText, { n: formatNumber(threshold) })}
      </p>
    </Section>
  )
}

const columnsOf = (variants: readonly Variant[]): readonly Column<StockAlert>[] => {
  const variantText = ({ variant_id }: StockAlert) =>
    variant_id === null
      ? productTabs.anyVariant
      : (variants.find(({ id }) => id === variant_id)?.name ?? String(variant_id))
  return [
    { label: common.email, show: ({ email }) => email, text: ({ email }) => email },
    { label: productTabs.variant, show: variantText, text: variantText },
    {
      label: common.status,
      show: ({ status }) => <State state={status} />,
      text: ({ status }) => humanize(status),
    },
    {
      label: common.created,
      show: ({ created_at }) => <Time at={created_at} />,
      text: ({ created_at }) => created_at,
    },
    {
      label: productTabs.notifiedAt,
      show: ({ notified_at }) => <Time at={notified_at} />,
      text: ({ notified_at }) => notified_at,
    },
  ]
}

const STATUSES = ['pending', 'notified', 'unsubscribed']

function StockAlerts({ sections, isAllowed }: SectionsProps) {
  const { product, variants } = sections
  return (
    <Section
      title={productTabs.waiting}
      actions={isAllowed && <NewStockAlert product={product} variants={variants} />}
    >
      <List<StockAlert>
        queryKey={['products', product.id, 'stock-alerts']}
        label={productTabs.waiting}
        columns={columnsOf(variants)}
        keyOf={({ id }) => id}
        filters={[
          {
            name: 'status',
            label: common.status,
            options: humanizedOptions(STATUSES),
          },
        ]}
        empty={productTabs.noWaitingCustomers}
        read={async ({ api }, query) => {
          const listQuery = query as unknown as StockAlertsListQuery
          const page = await api.stockAlerts.list(product.id, listQuery)
          return { rows: page.stock_alerts, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (alert: StockAlert) => <DeleteStockAlert product={product} alert={alert} />,
        })}
      />
    </Section>
  )
}

interface NewStockAlertProps {
  product: Product
  variants: readonly Variant[]
}

const NewStockAlert = ({ product, variants }: NewStockAlertProps) => (
  <Action
    label={productTabs.signUp}
    fields={[
      { name: 'email', label: common.email, type: 'email', required: true },
      {
        name: 'variant_id',
        label: productTabs.variant,
        type: 'select',
        help: productTabs.anyVariant,
        options: variants.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    ]}
    submit={productTabs.signUp}
    request={({ email, variant_id }) => ({
      ...storeRequest('stockAlerts', 'create', product.id, {
        email: String(email ?? ''),
        ...(variant_id !== undefined && { variant_id: Number(variant_id) }),
      }),
      area: 'products',
    })}
  />
)

interface DeleteStockAlertProps {
  product: Product
  alert: StockAlert
}

const DeleteStockAlert = ({ product, alert: { id, email, status } }: DeleteStockAlertProps) => (
  <Action
    label={common.delete}
    title={productTabs.deleteSignUp}
    isDanger
    lead={
      <>
        <p>{fill(productTabs.deleteSignUpLead, { email })}</p>
        <Consequence
          queryKey={['products', product.id, 'stock-alerts', 'pending']}
          read={async ({ api }) => {
            const query = { status: ['pending' as const], limit: 1 }
            return (await api.stockAlerts.list(product.id, query)).pagination.total
          }}
        >
          {(waitingCount) =>
            fill(productTabs.otherWaitingCustomers, {
              n: formatNumber(status === 'pending' ? waitingCount - 1 : waitingCount),
            })
          }
        </Consequence>
      </>
    }
    submit={productTabs.deleteSignUp}
    request={() => ({
      ...storeRequest('stockAlerts', 'delete', product.id, id),
      area: 'products',
    })}
  />
)
