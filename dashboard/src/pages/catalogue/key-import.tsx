import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useStore } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { toast } from '../../kit/toast.tsx'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'
import { addReport, type ImportCounts, type KeyLine, linesOf, withoutRepeats } from './key-lines.ts'

/** Keys in a call. */
const CHUNK = 5_000
const MALFORMED_SHOWN = 20

/** Adds keys from pasted lines or a file. A dry run counts them first; the import skips keys that exist. */
export function KeyImport({ product, variant }: { product: string; variant: number }) {
  const [text, setText] = useState('')
  const field = useId()
  const lines = useMemo(() => linesOf(text), [text])
  const run = useImport(product, variant)
  const change = (next: string) => {
    setText(next)
    run.clear()
  }
  const { counts, done, error, partial } = run
  const isBusy = done !== undefined
  return (
    <Section title={products.addKeys}>
      <div className="form">
        {error !== undefined && <Failure error={error} />}
        {partial !== undefined && (
          <p role="alert">{fill(products.partial, { n: formatNumber(partial) })}</p>
        )}
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
        {counts && <Report counts={counts} />}
        {isBusy && (
          <p role="status">
            {fill(products.progress, { done: formatNumber(done), all: formatNumber(lines.length) })}
          </p>
        )}
        <div className="form-end">
          <button
            type="button"
            disabled={isBusy || lines.length === 0}
            onClick={() => run.check(lines)}
          >
            {fill(products.check, { n: formatNumber(lines.length) })}
          </button>
          {counts && counts.fresh > 0 && (
            <button
              type="button"
              className="primary"
              disabled={isBusy}
              onClick={async () => (await run.commit(lines, counts)) && change('')}
            >
              {fill(products.commit, { n: formatNumber(counts.fresh) })}
            </button>
          )}
        </div>
      </div>
    </Section>
  )
}

const Report = ({ counts: { fresh, duplicate, sold, malformed } }: { counts: ImportCounts }) => (
  <div role="status">
    <p>
      {fill(products.report, {
        fresh: formatNumber(fresh),
        duplicate: formatNumber(duplicate),
        sold: formatNumber(sold),
        malformed: formatNumber(malformed.length),
      })}
    </p>
    {malformed.length > 0 && (
      <>
        <p>{products.malformed}</p>
        <ul>
          {malformed.slice(0, MALFORMED_SHOWN).map(({ line, reason }) => (
            <li key={line}>{fill(products.line, { line, reason })}</li>
          ))}
        </ul>
      </>
    )}
  </div>
)

/** The calls of an import, in chunks, and their progress. */
function useImport(product: string, variant: number) {
  const { api, id } = useStore()
  const queries = useQueryClient()
  const [counts, setCounts] = useState<ImportCounts>()
  const [done, setDone] = useState<number>()
  const [error, setError] = useState<unknown>()
  const [partial, setPartial] = useState<number>()
  const clear = () => {
    setCounts(undefined)
    setError(undefined)
    setPartial(undefined)
  }
  /** Returns false if a call was refused. */
  const inChunks = async (lines: readonly KeyLine[], send: (chunk: KeyLine[]) => Promise<void>) => {
    clear()
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
  const check = async (lines: readonly KeyLine[]) => {
    const unique = withoutRepeats(lines)
    const sum: ImportCounts = {
      fresh: 0,
      duplicate: lines.length - unique.length,
      sold: 0,
      malformed: [],
    }
    const isWhole = await inChunks(unique, async (chunk) => {
      const body = { keys: chunk.map(({ key }) => key), dry_run: true }
      const { report } = await api.stock.addKeys(product, variant, body)
      if (report) addReport(sum, report, chunk)
    })
    if (isWhole) setCounts(sum)
  }
  const commit = async (lines: readonly KeyLine[], { malformed }: ImportCounts) => {
    let added = 0
    const bad = new Set(malformed.map(({ line }) => line))
    const good = withoutRepeats(lines).filter(({ line }) => !bad.has(line))
    const isWhole = await inChunks(good, async (chunk) => {
      const body = { keys: chunk.map(({ key }) => key), skip_duplicates: true }
      added += (await api.stock.addKeys(product, variant, body)).added
    })
    void queries.invalidateQueries({ queryKey: [id, 'products'] })
    if (isWhole) toast(fill(products.added, { n: formatNumber(added) }))
    else setPartial(added)
    return isWhole
  }
  return { counts, done, error, partial, clear, check, commit }
}
