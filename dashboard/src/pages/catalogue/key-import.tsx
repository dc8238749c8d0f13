import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { StockKeyReport } from '../../api/store.ts'
import { useStore } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { toast } from '../../kit/toast.tsx'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'

/** The API takes at most this many keys in a call. */
const CHUNK = 5_000

interface Counts {
  fresh: number
  duplicate: number
  sold: number
  malformed: number
}

const linesOf = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

/** Adds keys from pasted lines or a file. A dry run counts them first; the add skips what is there already. */
export function KeyImport({ product, variant }: { product: string; variant: number }) {
  const { api, id } = useStore()
  const queries = useQueryClient()
  const field = useId()
  const [text, setText] = useState('')
  const [counts, setCounts] = useState<Counts>()
  const [done, setDone] = useState<number>()
  const [error, setError] = useState<unknown>()
  const lines = linesOf(text)

  const change = (next: string) => {
    setText(next)
    setCounts(undefined)
    setError(undefined)
  }
  /** Sends the lines in chunks. */
  const inChunks = async (send: (keys: string[]) => Promise<void>) => {
    setError(undefined)
    try {
      for (let start = 0; start < lines.length; start += CHUNK) {
        setDone(start)
        await send(lines.slice(start, start + CHUNK))
      }
      return true
    } catch (refusal) {
      setError(refusal)
      return false
    } finally {
      setDone(undefined)
    }
  }
  const check = async () => {
    const sum: Counts = { fresh: 0, duplicate: 0, sold: 0, malformed: 0 }
    const isWhole = await inChunks(async (keys) => {
      const { report } = await api.stock.addKeys(product, variant, { keys, dry_run: true })
      add(sum, report)
    })
    if (isWhole) setCounts(sum)
  }
  const commit = async () => {
    let added = 0
    const isWhole = await inChunks(async (keys) => {
      const options = { keys, skip_duplicates: true }
      added += (await api.stock.addKeys(product, variant, options)).added
    })
    await queries.invalidateQueries({ queryKey: [id, 'products'] })
    toast(fill(products.added, { n: formatNumber(added) }))
    if (isWhole) change('')
  }
  const isBusy = done !== undefined
  return (
    <Section title={products.addKeys}>
      <div className="form">
        {error !== undefined && <Failure error={error} />}
        <div className="field">
          <label htmlFor={`${field}-text`}>{products.paste}</label>
          <textarea
            id={`${field}-text`}
            rows={4}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={`${field}-file`}>{products.file}</label>
          <input
            id={`${field}-file`}
            type="file"
            accept=".txt,.csv,text/plain"
            onChange={async ({ target }) => change((await target.files?.[0]?.text()) ?? '')}
          />
        </div>
        {counts && <p role="status">{fill(products.report, shown(counts))}</p>}
        {isBusy && (
          <p role="status">
            {fill(products.progress, { done: formatNumber(done), all: formatNumber(lines.length) })}
          </p>
        )}
        <div className="form-end">
          <button type="button" disabled={isBusy || lines.length === 0} onClick={check}>
            {fill(products.check, { n: formatNumber(lines.length) })}
          </button>
          {counts && counts.fresh > 0 && counts.malformed === 0 && (
            <button type="button" className="primary" disabled={isBusy} onClick={commit}>
              {fill(products.commit, { n: formatNumber(counts.fresh) })}
            </button>
          )}
        </div>
      </div>
    </Section>
  )
}

function add(sum: Counts, report: StockKeyReport | undefined) {
  sum.fresh += report?.new ?? 0
  sum.duplicate += report?.duplicate.length ?? 0
  sum.sold += report?.already_sold.length ?? 0
  sum.malformed += report?.malformed.length ?? 0
}

const shown = (counts: Counts): Record<string, string> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, formatNumber(count)]))
