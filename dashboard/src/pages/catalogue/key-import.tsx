import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { randomKey } from '../../../../sdk/client/random-key.ts'
import { storeRequest } from '../../api/action.ts'
import { useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'
import { addReport, type ImportCounts, type KeyLine, linesOf, withoutRepeats } from './key-lines.ts'
import { type LastImport, useLastImport } from './last-import.ts'

/** Keys in a call. */
const CHUNK = 5_000
const MALFORMED_SHOWN = 20
/** The server refuses an undo that comes later. */
const UNDO_MAX_MS = 10 * 60_000

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
  const { counts, done, error } = run
  const isBusy = done !== undefined
  return (
    <Section title={products.addKeys}>
      <div className="form">
        {error !== undefined && <Failure error={error} />}
        {!isBusy && run.last && (
          <Last of={run.last} product={product} variant={variant} onUndone={run.clearLast} />
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

interface LastProps {
  of: LastImport
  product: string
  variant: number
  onUndone: () => void
}

/** The result of the newest import, and the way to undo it. */
function Last({ of: { import_id, added, sent, all, at }, product, variant, onUndone }: LastProps) {
  const n = formatNumber(added)
  const isWhole = sent === all
  const canUndo = added > 0 && Date.now() - at < UNDO_MAX_MS
  if (isWhole && !canUndo) return null
  const stopped = { sent: formatNumber(sent), all: formatNumber(all), n }
  return (
    <div className="actions" role="status">
      <p>{isWhole ? fill(products.added, { n }) : fill(products.stopped, stopped)}</p>
      {canUndo && (
        <Action
          label={products.undo}
          title={products.undoTitle}
          lead={<p>{fill(products.undoLead, { n })}</p>}
          submit={fill(products.undoSubmit, { n })}
          isDanger
          request={() => ({
            ...storeRequest('stock', 'undoImport', product, variant, import_id),
            area: 'products',
          })}
          done={products.undone}
          onDone={onUndone}
        />
      )}
    </div>
  )
}

/** The calls of an import, in chunks, and their progress. */
function useImport(product: string, variant: number) {
  const { api, id } = useStore()
  const queries = useQueryClient()
  const [counts, setCounts] = useState<ImportCounts>()
  const [done, setDone] = useState<number>()
  const [error, setError] = useState<unknown>()
  const [last, setLast] = useLastImport(id, variant)
  const clear = () => {
    setCounts(undefined)
    setError(undefined)
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
    const bad = new Set(malformed.map(({ line }) => line))
    const good = withoutRepeats(lines).filter(({ line }) => !bad.has(line))
    // An import that stopped goes on under its name, so that all of it can be undone. Another number
    // of lines is another import.
    const before = last && last.sent < last.all && last.all === good.length ? last : undefined
    let now = {
      import_id: before?.import_id ?? randomKey(),
      added: before?.added ?? 0,
      sent: 0,
      all: good.length,
      at: Date.now(),
    }
    setLast(now)
    const isWhole = await inChunks(good, async (chunk) => {
      const body = {
        keys: chunk.map(({ key }) => key),
        skip_duplicates: true,
        import_id: now.import_id,
      }
      const { added } = await api.stock.addKeys(product, variant, body)
      now = { ...now, added: now.added + added, sent: now.sent + chunk.length, at: Date.now() }
      setLast(now)
    })
    void queries.invalidateQueries({ queryKey: [id, 'products'] })
    return isWhole
  }
  const clearLast = () => setLast(undefined)
  return { counts, done, error, last, clearLast, clear, check, commit }
}
