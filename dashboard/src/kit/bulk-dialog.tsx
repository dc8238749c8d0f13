import { type ReactNode, useEffect, useRef } from 'react'
import type { StoreContext } from '../api/store.ts'
import { bulk as text } from '../text/bulk.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { NothingToDo } from './bulk.ts'
import { type BulkRun, type Failed, type Progress, resultText, useBulkRun } from './bulk-run.ts'
import { useConnection } from './connection.tsx'
import type { FormValues } from './fields.tsx'
import { Form, useSend } from './form.tsx'
import { formatNumber } from './format.ts'
import { Link } from './link.tsx'
import { remainingTimeText } from './long-work.ts'
import { Modal } from './modal.tsx'
import { SlowAnswer } from './slow-answer.tsx'
import { sentenceOf } from './states.tsx'

interface DialogProps<Row> extends BulkRun<Row> {
  keyOf: (row: Row) => string | number
  hrefOf?: ((row: Row) => string) | undefined
  close(): void
}

/** Asks for an action on several records, shows its progress, and says at the end which were not changed and why. */
export function BulkDialog<Row>(props: DialogProps<Row>) {
  const { title, action, rows, close } = props
  const { progress, isStopping, run, stop } = useBulkRun(props)
  const retry = useSend()
  const values = useRef<FormValues>({})
  const hasEnded = useRef(false)
  if (progress?.isRunning === false) hasEnded.current = true
  const { lead } = action
  const n = formatNumber(rows.length)
  // The call of the first record stands for all in "Show the call".
  const request = (typed: FormValues, former?: Progress<Row>) => ({
    ...action.request(rows[0] as Row, typed),
    send: (store: StoreContext) => {
      values.current = typed
      return run(store, typed, former)
    },
  })
  const running = progress?.isRunning && <Running {...{ progress, isStopping }} />
  return (
    <Modal title={title} isOpen onClose={close}>
      {progress && hasEnded.current ? (
        <Summary
          {...props}
          {...{ progress, running, stop }}
          retry={() => retry.mutate({ ...request(values.current, progress), title })}
        />
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
            request={(typed) => request(typed)}
            hasProgress
            onCancel={progress ? stop : close}
            cancelLabel={progress ? text.stop : common.cancel}
          >
            {() => running}
          </Form>
        </>
      )}
    </Modal>
  )
}

interface RunningProps<Row> {
  progress: Progress<Row>
  isStopping: boolean
}

function Running<Row>({ progress, isStopping }: RunningProps<Row>) {
  const { answerCount, requestCount, startedAt } = progress
  const { isOnline } = useConnection()
  // Nothing more is sent without a connection or after a stop, so no time remains.
  const time =
    isOnline && !isStopping
      ? remainingTimeText({ startedAt, done: answerCount, total: requestCount })
      : ''
  const count = { done: formatNumber(answerCount), total: formatNumber(requestCount) }
  return (
    <>
      <p role="status">
        {fill(text.progress, count)}
        {time && ` · ${time}`}
      </p>
      {isStopping ? (
        <p role="status">{text.stopping}</p>
      ) : (
        <SlowAnswer key={answerCount} silent={text.silent} />
      )}
    </>
  )
}

interface SummaryProps<Row> extends DialogProps<Row> {
  progress: Progress<Row>
  /** The progress while some are sent again. */
  running: ReactNode
  stop(): void
  retry(): void
}

/** The number of records that were changed, and each other one with its reason. */
function Summary<Row>(props: SummaryProps<Row>) {
  const { progress, rows, running, stop, retry, close } = props
  const { refused, notDone, isRunning } = progress
  const button = useRef<HTMLButtonElement>(null)
  // The form, or the button, that had the focus is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons are others while requests are sent.
  useEffect(() => button.current?.focus(), [isRunning])
  if (isRunning) {
    return (
      <div className="form">
        {running}
        <div className="form-end">
          <button ref={button} type="button" onClick={stop}>
            {text.stop}
          </button>
        </div>
      </div>
    )
  }
  return (
    <div className="form">
      <p role="status">{resultText(progress, rows.length)}</p>
      <FailedRows {...props} title={text.refusedList} failed={refused} />
      <FailedRows {...props} title={text.notDoneList} failed={notDone} />
      <div className="form-end">
        <button ref={button} type="button" className="primary" onClick={close}>
          {common.close}
        </button>
        {notDone.length > 0 && (
          <button type="button" onClick={retry}>
            {fill(text.retry, { n: formatNumber(notDone.length) })}
          </button>
        )}
      </div>
    </div>
  )
}

interface FailedRowsProps<Row> extends Pick<DialogProps<Row>, 'keyOf' | 'hrefOf' | 'bulk'> {
  title: string
  failed: readonly Failed<Row>[]
}

function FailedRows<Row>({ title, failed, keyOf, hrefOf, bulk }: FailedRowsProps<Row>) {
  if (failed.length === 0) return null
  return (
    <div className="failure" role="alert">
      <p>{title}</p>
      <ul>
        {failed.map(({ row, error }) => (
          <li key={keyOf(row)}>
            {hrefOf ? <Link to={hrefOf(row)}>{bulk.labelOf(row)}</Link> : bulk.labelOf(row)}:{' '}
            {error instanceof NothingToDo ? error.message : sentenceOf(error)}
          </li>
        ))}
      </ul>
    </div>
  )
}
