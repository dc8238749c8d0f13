import { type ReactNode, Suspense, useRef } from 'react'
import type { BulkBarProps } from './bulk.ts'
import { lazyPart } from './lazy-part.tsx'

const Bar = lazyPart(async () => (await import('./bulk-bar.tsx')).BulkBar, 'opened') as <Row>(
  props: BulkBarProps<Row>,
) => ReactNode

/** The bar of the selected records, whose code is loaded when the first record is selected. */
export function ListBulk<Row>(props: BulkBarProps<Row>) {
  const isUsed = useRef(false)
  // The last record may leave the selection while a dialog of the bar is open.
  if (props.selected.rows.length > 0) isUsed.current = true
  if (!isUsed.current) return null
  return (
    <Suspense>
      <Bar {...props} />
    </Suspense>
  )
}
