import { useEffect, useRef, useState } from 'react'
import { sendRequest } from '../api/action.ts'
import { type StoreContext, TradepostError } from '../api/store.ts'
import { bulk as text } from '../text/bulk.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { type BulkAction, type BulkWork, NothingToDo } from './bulk.ts'
import { useConnection } from './connection.tsx'
import type { FormValues } from './fields.tsx'
import { Form } from './form.tsx'
import { formatNumber } from './format.ts'
import { Link } from './link.tsx'
import type { SelectedRows } from './list-selection.ts'
import { remainingTimeText } from './long-work.ts'
import { Modal } from './modal.tsx'
import { sentenceOf } from './states.tsx'
import { toast } from './toast.tsx'

interface DialogProps<Row> {
  title: string
  action: BulkAction<Row>
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  bulk: BulkWork<Row>
  hrefOf?: ((row: Row) => string) | undefined
  selected: SelectedRows<Row>
  close(): void
}

/** Asks for an action on several records, shows its progress, and says at the end which were refused and why. */
export function BulkDialog<Row>(props: DialogProps<Row>) {
  const { title, action, rows, close } = props
  const { progress, isStopping, run, stop } = useRun(props)
  const { isOnline } = useConnection()
  const { lead } = action
  const n = formatNumber(rows.length)
  const isEnded = progress?.isRunning === false
  return (
    <Modal title={title} isOpen onClose={close}>
      {isEnded ? (
        <Summary {...{ progress, close }} total={rows.length} {...props} />
      ) : (
        <>
          <div className="lead">
            <p>{typeof lead === 'string' ? fill(lead, { n }) : lead(rows)}</p>
          </div>
          <Form
            fields={action.fields ?? []}
            submit={title}
            title={title}
            {...(action.isDanger && { isDanger: true })}
            // The call of the first record stands for all in "Show the call".
            request={(values) => ({
              ...action.request(rows[0] as Row, values),
              send: (store) => run(store, values),
            })}
            onCancel={progress ? stop : close}
            cancelLabel={progress ? text.stop : common.cancel}
          >
            {() =>
              progress && (
                <>
                  <Running
                    progress={progress}
                    total={rows.length}
                    isTimed={isOnline && !isStopping}
                  />
                  {isStopping && <p role="status">{text.stopping}</p>}
                </>
              )
            }
          </Form>
        </>
      )}
    </Modal>
  )
}

interface Refused<Row> {
  row: Row
  error: unknown
}

interface Progress<Row> {
  /** The number of answers, refusals included. */
  answerCount: number
  refused: readonly Refused<Row>[]
  isRunning: boolean
  /** The time at which the first request was sent, in milliseconds since 1970. */
  startedAt: number
}

interface ProgressProps<Row> {
  progress: Progress<Row>
  total: number
}

interface RunningProps<Row> extends ProgressProps<Row> {
  /** False if nothing more is sent at present, so that no time remains. */
  isTimed: boolean
}

function Running<Row>({ progress: { answerCount, startedAt }, total, isTimed }: RunningProps<Row>) {
  const time = isTimed ? remainingTimeText({ startedAt, done: answerCount, total }) : ''
  const count = { done: formatNumber(answerCount), total: formatNumber(total) }
  return (
    <p role="status">
      {fill(text.progress, count)}
      {time && ` · ${time}`}
    </p>
  )
}

type SummaryProps<Row> = ProgressProps<Row> &
  Pick<DialogProps<Row>, 'keyOf' | 'bulk' | 'hrefOf' | 'close'>

/** The number of records that were changed, and each refused one with its reason. */
function Summary<Row>({ progress, total, keyOf, bulk, hrefOf, close }: SummaryProps<Row>) {
  const { answerCount, refused } = progress
  const { labelOf } = bulk
  const button = useRef<HTMLButtonElement>(null)
  // The form that had the focus is gone.
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="form">
      <p role="status">{resultText(answerCount, refused.length, total)}</p>
      {refused.length > 0 && (
        <div className="failure" role="alert">
          <p>{text.refusedList}</p>
          <ul>
            {refused.map(({ row, error }) => (
              <li key={keyOf(row)}>
                {hrefOf ? <Link to={hrefOf(row)}>{labelOf(row)}</Link> : labelOf(row)}:{' '}
                {error instanceof NothingToDo ? error.message : sentenceOf(error)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="form-end">
        <button ref={button} type="button" className="primary" onClick={close}>
          {common.close}
        </button>
      </div>
    </div>
  )
}

/** The numbers of changed, refused and remaining records, in words. */
function resultText(answerCount: number, refusedCount: number, total: number): string {
  const counted = (sentence: string, n: number) => fill(sentence, { n: formatNumber(n) })
  const left = total - answerCount
  return [
    counted(text.done, answerCount - refusedCount),
    refusedCount > 0 && counted(text.refused, refusedCount),
    left > 0 && counted(text.left, left),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The statuses after which no further record is sent: the user is signed out, or the role lacks the permission. */
const ENDING_STATUSES = [401, 403]

const isEnding = (error: unknown): boolean =>
  error instanceof TradepostError && ENDING_STATUSES.includes(error.status)

/** Sends the requests one after the other. A refused record does not stop the others. */
function useRun<Row>({ action, rows, bulk, selected, title }: DialogProps<Row>) {
  const [progress, setProgress] = useState<Progress<Row>>()
  const isStopped = useRef(false)
  const isClosed = useRef(false)
  const [isStopping, setStopping] = useState(false)
  const latest = useRef(selected)
  latest.current = selected
  // Closing the dialog stops the run, because its progress would be invisible.
  useEffect(() => {
    isStopped.current = false
    isClosed.current = false
    return () => {
      isStopped.current = true
      isClosed.current = true
    }
  }, [])
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
  const run = async (store: StoreContext, values: FormValues) => {
    const refused: Refused<Row>[] = []
    const startedAt = Date.now()
    let answerCount = 0
    const show = (isRunning: boolean) =>
      setProgress({ answerCount, refused: [...refused], isRunning, startedAt })
    show(true)
    for (const row of rows) {
      if (isStopped.current) break
      const request = { ...action.request(row, values), title: `${title} · ${bulk.labelOf(row)}` }
      const error = await sendRequest(request, store).then(() => undefined, refusalOf)
      answerCount++
      // Refused records and those that were not reached stay selected.
      if (error) refused.push({ row, error })
      else latest.current.choose([row], false)
      show(true)
      if (isEnding(error)) break
      if (error) await refresh(store, row)
    }
    show(false)
    if (isClosed.current) toast(`${title}: ${resultText(answerCount, refused.length, rows.length)}`)
  }
  return {
    progress,
    isStopping,
    run,
    stop: () => {
      isStopped.current = true
      setStopping(true)
    },
  }
}

/** Returns the error of a refusal, and throws any other one. */
function refusalOf(error: unknown): unknown {
  if (error instanceof TradepostError || error instanceof NothingToDo) return error
  throw error
}
