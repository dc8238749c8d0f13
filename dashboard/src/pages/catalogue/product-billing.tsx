import { storeRequest } from '../../api/action.ts'
import {
  type Product,
  type ProductBilling,
  type ProductBillingInput,
  type StoreContext,
  TradepostError,
  useRead,
} from '../../api/store.ts'
import { EditAction } from '../../kit/edit-action.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { humanizedOptions } from '../../kit/options.ts'
import { Facts, Money, Section, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { billing } from '../../text/billing.ts'
import { common } from '../../text/common.ts'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections: { product }, isAllowed }) => <Terms product={product} isAllowed={isAllowed} />}
  </ProductTab>
)

/** Returns null if no billing was ever set. */
const readBilling = ({ api }: StoreContext, id: string): Promise<ProductBilling | null> =>
  api.billing.get(id).then(
    (answer) => answer.billing,
    (error: unknown) => {
      if (error instanceof TradepostError && error.code === 'NOT_FOUND') return null
      throw error
    },
  )

const CYCLES = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const

function Terms({ product, isAllowed }: { product: Product; isAllowed: boolean }) {
  const read = useRead(['products', product.id, 'billing'], (store) =>
    readBilling(store, product.id),
  )
  return (
    <Section
      title={billing.title}
      actions={
        isAllowed && read.data !== undefined && <SetBilling product={product} terms={read.data} />
      }
    >
      <p>{billing.lead}</p>
      <Loaded read={read} rows={3}>
        {(terms) =>
          terms === null ? (
            <Empty>{billing.none}</Empty>
          ) : (
            <Facts
              rows={[
                [billing.cycle, humanize(terms.billing_cycle)],
                [billing.trial, formatNumber(terms.trial_days)],
                [
                  billing.price,
                  terms.recurring_price_cents === null ? (
                    billing.samePrice
                  ) : (
                    <Money
                      key="price"
                      cents={terms.recurring_price_cents}
                      currency={product.currency}
                    />
                  ),
                ],
                [common.updated, <Time key="updated" at={terms.updated_at} />],
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

/** The API replaces all terms at once, so the unchanged ones are sent as well. */
function SetBilling({ product, terms }: { product: Product; terms: ProductBilling | null }) {
  const bodyOf = (current: ProductBilling | null, changed: Record<string, unknown>) => ({
    billing_cycle: (changed.billing_cycle ??
      current?.billing_cycle ??
      'monthly') as ProductBillingInput['billing_cycle'],
    trial_days: (changed.trial_days ?? current?.trial_days ?? 0) as number,
    recurring_price_cents:
      'recurring_price_cents' in changed
        ? ((changed.recurring_price_cents ?? null) as number | null)
        : (current?.recurring_price_cents ?? null),
  })
  return (
    <EditAction
      label={terms === null ? billing.set : common.edit}
      title={billing.title}
      record={terms}
      read={(store) => readBilling(store, product.id)}
      fields={(current) => [
        {
          name: 'billing_cycle',
          label: billing.cycle,
          type: 'select',
          required: true,
          value: current?.billing_cycle ?? 'monthly',
          options: humanizedOptions(CYCLES),
        },
        {
          name: 'trial_days',
          label: billing.trial,
          type: 'number',
          required: true,
          help: billing.trialHelp,
          value: current?.trial_days ?? 0,
        },
        {
          name: 'recurring_price_cents',
          label: billing.price,
          type: 'money',
          currency: product.currency,
          help: billing.priceHelp,
          value: current?.recurring_price_cents,
        },
      ]}
      submit={billing.set}
      request={(changed) => ({
        ...storeRequest('billing', 'set', product.id, bodyOf(terms, changed)),
        area: 'products',
        send: async (store) =>
          store.api.billing.set(product.id, bodyOf(await readBilling(store, product.id), changed)),
      })}
    />
  )
}
