import { useRead } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { stock } from '../../text/stock.ts'

const SHOWN_ID_LENGTH = 6

/** The batches in which keys were added to a variant, the newest first. */
export function KeyBatches({ productId, variantId }: { productId: string; variantId: number }) {
  const read = useRead(['products', productId, 'batches', variantId], async ({ readDashboard }) => {
    const query = { product_id: productId, variant_id: variantId }
    return (await readDashboard<'stock.list_imports'>('/stock-imports', query)).imports
  })
  return (
    <Section title={stock.batches}>
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={stock.noBatches}
        label={stock.batches}
        keyOf={({ import_id }) => import_id ?? 'none'}
        columns={[
          { label: stock.addedAt, show: ({ added_at }) => <Time at={added_at} /> },
          {
            label: stock.batch,
            show: ({ import_id }) =>
              import_id === null ? (
                stock.withoutImport
              ) : (
                <span title={import_id}>
                  {fill(stock.importOf, { id: import_id.slice(0, SHOWN_ID_LENGTH) })}
                </span>
              ),
          },
          {
            label: stock.keys,
            isRightAligned: true,
            show: ({ count }) => formatNumber(count),
          },
          {
            label: stock.available,
            isRightAligned: true,
            show: ({ available }) => formatNumber(available),
          },
          { label: stock.sold, isRightAligned: true, show: ({ sold }) => formatNumber(sold) },
        ]}
      />
    </Section>
  )
}
