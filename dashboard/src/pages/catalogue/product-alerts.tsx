import { storeRequest } from '../../api/action.ts'
import type {
  Product,
  ProductSections,
  StockAlert,
  StockAlertsListQuery,
  Variant,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Section, State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => (
      <>
        <Threshold product={sections.product} isAllowed={isAllowed} />
        <Waiting sections={sections} isAllowed={isAllowed} />
      </>
    )}
  </ProductTab>
)

function Threshold({ product, isAllowed }: { product: Product; isAllowed: boolean }) {
  const { id, stock_alert_threshold: threshold } = product
  return (
    <Section
      title={productTabs.threshold}
      actions={
        isAllowed && (
          <Action
            label={productTabs.setThreshold}
            fields={[
              {
                name: 'stock_alert_threshold',
                label: products.stock,
                type: 'number',
                help: productTabs.thresholdHelp,
                value: threshold,
              },
            ]}
            submit={productTabs.setThreshold}
            request={({ stock_alert_threshold }) => ({
              ...storeRequest('stockAlerts', 'setThreshold', id, {
                stock_alert_threshold: (stock_alert_threshold as number | undefined) ?? null,
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
  const variantOf = ({ variant_id }: StockAlert) =>
    variant_id === null
      ? productTabs.anyVariant
      : (variants.find(({ id }) => id === variant_id)?.name ?? String(variant_id))
  return [
    { label: common.email, show: ({ email }) => email, text: ({ email }) => email },
    { label: productTabs.variant, show: variantOf, text: variantOf },
    {
      label: common.status,
      show: ({ status }) => <State state={status} />,
      text: ({ status }) => status,
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

function Waiting({ sections, isAllowed }: { sections: ProductSections; isAllowed: boolean }) {
  const { product, variants } = sections
  return (
    <Section
      title={productTabs.waiting}
      actions={isAllowed && <SignUp product={product} variants={variants} />}
    >
      <List<StockAlert>
        name={['products', product.id, 'stock-alerts']}
        label={productTabs.waiting}
        columns={columnsOf(variants)}
        keyOf={({ id }) => id}
        filters={[
          {
            name: 'status',
            label: common.status,
            options: STATUSES.map((value) => ({ value, label: humanize(value) })),
          },
        ]}
        empty={productTabs.noneWait}
        read={async ({ api }, query) => {
          const asked = query as unknown as StockAlertsListQuery
          const page = await api.stockAlerts.list(product.id, asked)
          return { rows: page.stock_alerts, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (alert: StockAlert) => <Remove product={product} of={alert} />,
        })}
      />
    </Section>
  )
}

const SignUp = ({ product, variants }: { product: Product; variants: readonly Variant[] }) => (
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

const Remove = ({ product, of: { id, email } }: { product: Product; of: StockAlert }) => (
  <Action
    label={common.delete}
    title={productTabs.deleteSignUp}
    isDanger
    lead={<p>{fill(productTabs.deleteSignUpLead, { email })}</p>}
    submit={productTabs.deleteSignUp}
    request={() => ({
      ...storeRequest('stockAlerts', 'delete', product.id, id),
      area: 'products',
    })}
  />
)
