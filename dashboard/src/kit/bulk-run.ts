import { useEffect, useRef, useState } from 'react'
import { sendRequest } from '../api/action.ts'
import { type StoreContext, TradepostError } from '../api/store.ts'
import { bulk as text } from '../text/bulk.ts'
import { fill } from '../text/catalogue.ts'
import { type BulkAction, type BulkWork, NothingToDo } from './bulk.ts'
import { useConnection } from './connection.tsx'
import type { FormValues } from './fields.tsx'
import { formatNumber } from './format.ts'
import type { SelectedRows } from './list-selection.ts'
import { toast } from './toast.tsx'

export interface BulkRun<Row> {
  title: string
  action: BulkAction<Row>
  rows: readonly Row[]
  bulk: BulkWork<Row>
  selected: SelectedRows<Row>
}

/** A record that was not changed, with the reason. */
export interface Failed<Row> {
  row: Row
  error: unknown
}

export interface Progress<Row> {
  doneCount: number
  /** The records for which the server said no. */
  refused: readonly Failed<Row>[]
  /** The records whose requests failed although they may be right, so that they can be sent again. */
  notDone: readonly Failed<Row>[]
  isRunning: boolean
  /** The numbers of the requests that are being sent one after the other: answered ones, and all. */
  answerCount: number
  requestCount: number
  /** The time at which the first of them was sent, in milliseconds since 1970. */
  startedAt: number
}

/** The numbers of changed, refused and remaining records, in words. */
export function resultText<Row>({ doneCount, refused, notDone }: Progress<Row>, total: number) {
  const counted = (sentence: string, n: number) => n > 0 && fill(sentence, { n: formatNumber(n) })
  return [
    fill(text.done, { n: formatNumber(doneCount) }),
    counted(text.refused, refused.length),
    counted(text.notDone, notDone.length),
    counted(text.left, total - doneCount - refused.length - notDone.length),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The reason of a record whose request was given up, although the server may still carry it out. */
class Unanswered extends NothingToDo {}

/** The statuses below 500 that refuse nothing: no answer, too slow, too many, cancelled. */
const PASSING_STATUSES = [0, 408, 425, 429, 499]

const isRefusal = (error: unknown): boolean =>
  (error instanceof NothingToDo && !(error instanceof Unanswered)) ||
  (error instanceof TradepostError &&
    error.status < 500 &&
    !PASSING_STATUSES.includes(error.status))

/** The statuses after which no further record is sent: the user is signed out, or the role lacks the permission. */
const ENDING_STATUSES = [401, 403]

const isEnding = (error: unknown): boolean =>
  error instanceof TradepostError && ENDING_STATUSES.includes(error.status)

/** Counts the answers of a run, which continues a former one with the records that were not done. */
function progressOf<Row>(requestCount: number, former?: Progress<Row>) {
  const startedAt = Date.now()
  const refused = [...(former?.refused ?? [])]
  const notDone: Failed<Row>[] = []
  let doneCount = former?.doneCount ?? 0
  let answerCount = 0
  return {
    add(row: Row, error: unknown) {
      answerCount++
      if (!error) doneCount++
      else (isRefusal(error) ? refused : notDone).push({ row, error })
    },
    progress(isRunning: boolean): Progress<Row> {
      const unsent = isRunning ? [] : (former?.notDone.slice(answerCount) ?? [])
      const failed = { refused: [...refused], notDone: [...notDone, ...unsent] }
      return { ...failed, doneCount, isRunning, answerCount, requestCount, startedAt }
    },
  }
}

/** Changes one record after the other, and keeps the selection as it is on the server. */
function useChange<Row>({ action, bulk, selected, title }: BulkRun<Row>) {
  const giveUp = useRef(() => {})
  const unanswered = useRef(new Map<Row, Promise<unknown>>())
  const latest = useRef(selected)
  latest.current = selected
  /** Selects the record as it is now, so that the next actions are those of its present state. */
  const refresh = async (store: StoreContext, row: Row) => {
    try {
      const current = await bulk.readAgain(store, row)
      latest.current.choose([{ ...row, ...current }], true)
    } catch (error) {
      // A deleted record has no action. One that cannot be read at present stays as it was.
      if (error instanceof TradepostError && error.status === 404) {
        latest.current.choose([row], false)
      }
    }
  }
  const send = async (store: StoreContext, row: Row, values: FormValues) =>
    sendRequest({ ...action.request(row, values), title: `${title} · ${bulk.labelOf(row)}` }, store)
  /** Resolves with the reason if the record was not changed. */
  const change = (store: StoreContext, row: Row, values: FormValues): Promise<unknown> => {
    const request =
      unanswered.current.get(row) ??
      send(store, row, values).then(
        // Records that were not changed stay selected.
        () => latest.current.choose([row], false),
        reasonOf,
      )
    unanswered.current.set(row, request)
    const end = () => unanswered.current.delete(row)
    request.then(end, end)
    const givenUp = new Promise((resolve) => {
      giveUp.current = () => resolve(new Unanswered(text.unanswered))
    })
    return Promise.race([request, givenUp])
  }
  return { change, refresh, giveUp }
}

/**
 * Sends the requests one after the other. A refused record does not stop the others. A request without an answer is given
 * up if the user stops the work. It goes on in the browser, so the record is sent again by waiting for the same request.
 */
export function useBulkRun<Row>(props: BulkRun<Row>) {
  const { rows, title } = props
  const [progress, setProgress] = useState<Progress<Row>>()
  const { isOnline, isSilent } = useConnection()
  const { change, refresh, giveUp } = useChange(props)
  const isClosed = useRef(false)
  const isStopped = useRef(false)
  const [isStopping, setStopping] = useState(false)
  // Closing the dialog stops the run, because its progress would be invisible.
  useEffect(() => {
    isStopped.current = false
    isClosed.current = false
    return () => {
      isStopped.current = true
      isClosed.current = true
    }
  }, [])
  useEffect(() => {
    if (isStopping && (isSilent || !isOnline)) giveUp.current()
  }, [isStopping, isSilent, isOnline, giveUp])

  /** Sends the requests of all records, or of those that were not done. */
  const run = async (store: StoreContext, values: FormValues, former?: Progress<Row>) => {
    const sent = former ? former.notDone.map(({ row }) => row) : rows
    const counts = progressOf(sent.length, former)
    isStopped.current = false
    setStopping(false)
    setProgress(counts.progress(true))
    for (const row of sent) {
      if (isStopped.current) break
      const error = await change(store, row, values)
      counts.add(row, error)
      setProgress(counts.progress(true))
      if (isEnding(error)) break
      if (isRefusal(error)) await refresh(store, row)
    }
    const result = counts.progress(false)
    setProgress(result)
    if (isClosed.current) toast(`${title}: ${resultText(result, rows.length)}`)
  }
  const stop = () => {
    isStopped.current = true
    setStopping(true)
  }
  return { progress, isStopping, run, stop }
}

/** Returns the reason of a failed request, and throws an error of the page itself. */
function reasonOf(error: unknown): unknown {
  if (error instanceof TradepostError || error instanceof NothingToDo) return error
  throw error
}
