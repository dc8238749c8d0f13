import { storeRequest } from '../../api/action.ts'
import { type StockKeyExport, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Facts, Section, State } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { stock } from '../../text/stock.ts'

interface VariantStockProps {
  productId: string
  variantId: number
  isAllowed: boolean
}

/** The stock of a variant with keys, and the actions on all of its keys. */
export function VariantStock({ productId, variantId, isAllowed }: VariantStockProps) {
  const read = useRead(
    ['products', productId, 'stock', variantId],
    async ({ api }) => (await api.stock.get(productId, variantId)).stock,
  )
  return (
    <Loaded read={read} rows={3}>
      {({ available, on_hand, reserved, sold, low_stock, low_stock_threshold }) => (
        <Section
          title={stock.title}
          actions={
            isAllowed && <AllKeysActions {...{ productId, variantId, available: available ?? 0 }} />
          }
        >
          <Facts
            rows={[
              [
                stock.available,
                <span key="available">
                  {available === null ? stock.unlimited : formatNumber(available)}{' '}
                  {low_stock && <State state="low_stock">{stock.low}</State>}
                </span>,
              ],
              [stock.onHand, formatNumber(on_hand)],
              [stock.reserved, formatNumber(reserved)],
              [stock.sold, formatNumber(sold)],
              [
                stock.threshold,
                low_stock_threshold === null ? undefined : formatNumber(low_stock_threshold),
              ],
            ]}
          />
        </Section>
      )}
    </Loaded>
  )
}

const AllKeysActions = ({
  productId,
  variantId,
  available,
}: {
  productId: string
  variantId: number
  available: number
}) => (
  <>
    <Action
      label={stock.export}
      lead={<p>{stock.exportLead}</p>}
      submit={stock.export}
      request={() => ({
        ...storeRequest('stock', 'exportKeys', productId, variantId),
        area: 'products',
      })}
      onDone={(answer) => location.assign((answer as { export: StockKeyExport }).export.url)}
    />
    {available > 0 && (
      <Action
        label={stock.deleteAll}
        isDanger
        confirmName={stock.deleteWord}
        lead={<p>{fill(stock.deleteAllLead, { n: formatNumber(available) })}</p>}
        submit={fill(stock.deleteNumber, { n: formatNumber(available) })}
        request={() => ({
          ...storeRequest('stock', 'deleteAllKeys', productId, variantId),
          area: 'products',
        })}
      />
    )}
  </>
)
