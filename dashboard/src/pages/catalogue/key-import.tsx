import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { randomKey } from '../../../../sdk/client/random-key.ts'
import { storeRequest } from '../../api/action.ts'
import { useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { ApiCall } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { remainingTimeText } from '../../kit/long-work.ts'
import { Section } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'
import { KeyFileInput } from './key-file-input.tsx'
import { addReport, type ImportCounts, type KeyLine, linesOf, withoutRepeats } from './key-lines.ts'
import { type LastImport, useLastImport } from './last-import.ts'

/** The maximum number of keys in one call. */
const CHUNK_SIZE = 5_000
const MALFORMED_SHOWN = 20
/** The server refuses an undo after this time. */
const UNDO_MAX_MS = 10 * 60_000

/** Adds keys from pasted lines or a file. A dry run counts them first; the import skips keys that exist. */
export function KeyImport({ productId, variantId }: { productId: string; variantId: number }) {
  const [text, setText] = useState('')
  const field = useId()
  const lines = useMemo(() => linesOf(text), [text])
  const run = useImport(productId, variantId)
  const changeText = (next: string) => {
    setText(next)
    run.clear()
  }
  const { counts, sentCount, error } = run
  const isBusy = sentCount !== undefined
  return (
    <Section title={products.addKeys}>
      <div className="form">
        {error !== undefined && <Failure error={error} />}
        {!isBusy && run.last && (
          <LastImportResult
            lastImport={run.last}
            productId={productId}
            variantId={variantId}
            onUndone={run.clearLast}
          />
        )}
        <div className="field">
          <label htmlFor={`${field}-text`}>{products.paste}</label>
          <textarea
            id={`${field}-text`}
            rows={4}
            value={text}
            onChange={(event) => changeText(event.target.value)}
          />
        </div>
        <KeyFileInput label={products.file} onText={changeText} />
        {counts && <Report counts={counts} />}
        {isBusy && (
          <ImportProgress sentCount={sentCount} allCount={lines.length} startedAt={run.startedAt} />
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
              onClick={async () => (await run.commit(lines, counts)) && changeText('')}
            >
              {fill(products.commit, { n: formatNumber(counts.fresh) })}
            </button>
          )}
        </div>
        <ApiCall make={() => importRequest(productId, variantId, lines)} />
      </div>
    </Section>
  )
}

/** The first call of an import without a dry run. */
function importRequest(productId: string, variantId: number, lines: readonly KeyLine[]) {
  if (lines.length === 0) throw new Error('No key was entered.')
  const keys = lines.slice(0, CHUNK_SIZE).map(({ key }) => key)
  return storeRequest('stock', 'addKeys', productId, variantId, { keys, skip_duplicates: true })
}

interface ImportProgressProps {
  sentCount: number
  allCount: number
  startedAt: number
}

function ImportProgress({ sentCount, allCount, startedAt }: ImportProgressProps) {
  return (
    <p role="status">
      <progress value={sentCount} max={allCount} aria-label={products.addKeys} />{' '}
      {fill(products.progress, { done: formatNumber(sentCount), all: formatNumber(allCount) })}{' '}
      {remainingTimeText({ startedAt, done: sentCount, total: allCount })}
    </p>
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

interface LastImportProps {
  lastImport: LastImport
  productId: string
  variantId: number
  onUndone: () => void
}

/** The result of the newest import, and the button that undoes it. */
function LastImportResult({ lastImport, productId, variantId, onUndone }: LastImportProps) {
  const { import_id, added, sentLines, allLines, answered_ms } = lastImport
  const n = formatNumber(added)
  const isComplete = sentLines === allLines
  const canUndo = added > 0 && Date.now() - answered_ms < UNDO_MAX_MS
  if (isComplete && !canUndo) return null
  const counts = { sent: formatNumber(sentLines), all: formatNumber(allLines), n }
  return (
    <div className="actions" role="status">
      <p>{isComplete ? fill(products.added, { n }) : fill(products.stopped, counts)}</p>
      {canUndo && (
        <Action
          label={products.undo}
          title={products.undoTitle}
          lead={<p>{fill(products.undoLead, { n })}</p>}
          submit={fill(products.undoSubmit, { n })}
          isDanger
          request={() => ({
            ...storeRequest('stock', 'undoImport', productId, variantId, import_id),
            area: 'products',
          })}
          done={products.undone}
          onDone={onUndone}
        />
      )}
    </div>
  )
}

/**
 * Begins an import. If the last import stopped and had as many lines, it continues under its id, so that all of
 * it can be undone.
 */
function beginImport(last: LastImport | undefined, allLines: number): LastImport {
  const isContinued = last && last.sentLines < last.allLines && last.allLines === allLines
  const { import_id, added } = isContinued ? last : { import_id: randomKey(), added: 0 }
  return { import_id, added, sentLines: 0, allLines, answered_ms: Date.now() }
}

/** The calls of an import, in chunks, and their progress. */
function useImport(productId: string, variantId: number) {
  const { api, id } = useStore()
  const queries = useQueryClient()
  const [counts, setCounts] = useState<ImportCounts>()
  const [sentCount, setSentCount] = useState<number>()
  const [startedAt, setStartedAt] = useState(0)
  const [error, setError] = useState<unknown>()
  const [last, setLast] = useLastImport(id, variantId)
  const clear = () => {
    setCounts(undefined)
    setError(undefined)
  }
  /** Sends the lines in chunks; returns false if a call was refused. */
  const inChunks = async (lines: readonly KeyLine[], send: (chunk: KeyLine[]) => Promise<void>) => {
    clear()
    setStartedAt(Date.now())
    try {
      for (let start = 0; start < lines.length; start += CHUNK_SIZE) {
        setSentCount(start)
        await send(lines.slice(start, start + CHUNK_SIZE))
      }
      return true
    } catch (refusal) {
      setError(refusal)
      return false
    } finally {
      setSentCount(undefined)
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
    const isComplete = await inChunks(unique, async (chunk) => {
      const body = { keys: chunk.map(({ key }) => key), dry_run: true }
      const { report } = await api.stock.addKeys(productId, variantId, body)
      if (report) addReport(sum, report, chunk)
    })
    if (isComplete) setCounts(sum)
  }
  const commit = async (lines: readonly KeyLine[], { malformed }: ImportCounts) => {
    const malformedLines = new Set(malformed.map(({ line }) => line))
    const validLines = withoutRepeats(lines).filter(({ line }) => !malformedLines.has(line))
    let progress = beginImport(last, validLines.length)
    setLast(progress)
    const isComplete = await inChunks(validLines, async (chunk) => {
      const body = {
        keys: chunk.map(({ key }) => key),
        skip_duplicates: true,
        import_id: progress.import_id,
      }
      const { added } = await api.stock.addKeys(productId, variantId, body)
      progress = {
        ...progress,
        added: progress.added + added,
        sentLines: progress.sentLines + chunk.length,
        answered_ms: Date.now(),
      }
      setLast(progress)
    })
    void queries.invalidateQueries({ queryKey: [id, 'products'] })
    return isComplete
  }
  const clearLast = () => setLast(undefined)
  return { counts, sentCount, startedAt, error, last, clearLast, clear, check, commit }
}
