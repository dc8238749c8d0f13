import { useEffect, useRef, useState } from 'react'
import { useStore } from '../../api/store.ts'
import { downloadCsv } from '../../kit/csv.ts'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { remainingTimeText, storedWork } from '../../kit/long-work.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { exports } from '../../text/exports.ts'
import { navigation } from '../../text/navigation.ts'
import { shell } from '../../text/shell.ts'
import {
  columnsOf,
  EXPORTED_LISTS,
  EXPORTED_RECORDS_MAX,
  type ExportedArea,
  readAll,
} from './export-rows.ts'

const NAMES: Record<ExportedArea, string> = {
  orders: shell.orders,
  customers: navigation.customers,
  products: navigation.products,
  coupons: navigation.coupons,
  subscriptions: navigation.subscriptions,
  returns: navigation.returns,
}

export const Page = () => (
  <Frame title={exports.title} lead={exports.lead}>
    <Table
      label={exports.title}
      rows={Object.keys(NAMES) as ExportedArea[]}
      keyOf={(area) => area}
      columns={[
        { label: exports.file, show: (area) => <Link to={`/${area}`}>{NAMES[area]}</Link> },
        { label: exports.records, show: (area) => <Export area={area} /> },
      ]}
    />
    <p className="secondary-text">
      {exports.keys} <Link to="/stock/pools">{navigation.stock}</Link>
    </p>
  </Frame>
)

interface Progress {
  done: number
  /** Undefined before the first page. */
  total?: number
  /** When the export began, in milliseconds. */
  startedAt: number
}

/**
 * A button that reads a list to its end and saves it, with its progress. Leaving the page stops it; an
 * export that was interrupted by loading the page again starts again.
 */
function Export({ area }: { area: ExportedArea }) {
  const store = useStore()
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState('')
  const [error, setError] = useState<unknown>()
  const isStopped = useRef(false)
  const stored = storedWork<true>(`tradepost-export-${store.id}-${area}`)
  const name = NAMES[area]
  const run = async () => {
    isStopped.current = false
    setError(undefined)
    setResult('')
    const startedAt = Date.now()
    setProgress({ done: 0, startedAt })
    stored.save(true)
    try {
      const rows = await readAll(EXPORTED_LISTS[area](store), {
        onRead: (done, total) => setProgress({ done, total, startedAt }),
        isStopped: () => isStopped.current,
      })
      if (rows === undefined) return
      if (rows.length > 0) downloadCsv(area, columnsOf(rows), rows)
      setResult(resultOf(rows.length))
    } catch (refusal) {
      setError(refusal)
    } finally {
      stored.remove()
      setProgress(undefined)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an interrupted export starts again once.
  useEffect(() => {
    if (stored.read()) void run()
    return () => {
      isStopped.current = true
      stored.remove()
    }
  }, [])
  const isBusy = progress !== undefined
  return (
    <div className="actions">
      {error !== undefined && <Failure error={error} retry={run} />}
      <span role="status">{isBusy ? progressText(progress) : result}</span>
      <button
        type="button"
        aria-label={fill(isBusy ? exports.stopNamed : exports.exportNamed, { name })}
        onClick={() => {
          if (isBusy) isStopped.current = true
          else void run()
        }}
      >
        {isBusy ? exports.stop : exports.export}
      </button>
    </div>
  )
}

function progressText({ done, total, startedAt }: Progress): string {
  if (total === undefined) return exports.reading
  const text = fill(exports.progress, { n: formatNumber(done), total: formatNumber(total) })
  return `${text} ${remainingTimeText({ startedAt, done, total })}`
}

function resultOf(n: number): string {
  if (n === 0) return exports.none
  return fill(n === EXPORTED_RECORDS_MAX ? exports.newestOnly : exports.done, {
    n: formatNumber(n),
  })
}
