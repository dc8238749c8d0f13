import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import {
  type StoreContext,
  TradepostError,
  useRead,
  useStore,
  type Webhook,
} from '../../api/store.ts'
import { ApiCall } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { remainingTimeText, storedWork } from '../../kit/long-work.ts'
import { Modal } from '../../kit/modal.tsx'
import { Loaded } from '../../kit/states.tsx'
import { countText } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { webhooks } from '../../text/webhooks.ts'

const HOUR_MS = 3_600_000
/** A choice of the time in which deliveries failed. `option` is its value for `--failed-since`. */
const LAST_DAY = { label: webhooks.lastDay, ms: 24 * HOUR_MS, option: '1d' }
const SPANS = [
  { label: webhooks.lastHour, ms: HOUR_MS, option: '1h' },
  LAST_DAY,
  { label: webhooks.lastWeek, ms: 168 * HOUR_MS, option: '7d' },
]
type Span = (typeof SPANS)[number]
const PAGE_SIZE = 100
const PAGES_MAX = 10

/** The ids of deliveries whose newest attempt failed, oldest first. Some of them still have attempts to come. */
async function readFailedIds(
  { api }: StoreContext,
  webhookId: string,
  span_ms: number,
): Promise<number[]> {
  const ids: number[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const { deliveries, pagination } = await api.events.deliveries({
      webhook_id: webhookId,
      status: ['failed', 'pending'],
      created_from: new Date(Date.now() - span_ms).toISOString(),
      limit: PAGE_SIZE,
      offset: page * PAGE_SIZE,
    })
    const failed = deliveries.filter(({ status, attempts }) => status === 'failed' || attempts > 0)
    ids.push(...failed.map(({ id }) => id))
    if (!pagination.has_more) break
  }
  return ids.reverse()
}

/** A run that sends deliveries again. It continues after the page was loaded again. */
interface Run {
  /** The deliveries that are not sent yet. */
  ids: readonly number[]
  done: number
  failed: number
  total: number
  /** When the run began, in milliseconds. */
  startedAt: number
}

interface Progress extends Run {
  isRunning: boolean
}

const storedRun = (webhookId: string) =>
  storedWork<Run & { saved_at: number }>(`tradepost-resend-${webhookId}`)

/**
 * A button that opens a dialog to resend failed deliveries, one after the other. The dialog opens automatically if a
 * run of a former page was not finished.
 */
export function ResendFailed({ webhook }: { webhook: Webhook }) {
  const [isOpen, setOpen] = useState(() => storedRun(webhook.id).read() !== undefined)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {webhooks.resendFailed}
      </button>
      <Modal title={webhooks.resendFailed} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ResendForm webhook={webhook} />
      </Modal>
    </>
  )
}

function ResendForm({ webhook }: { webhook: Webhook }) {
  const [span, setSpan] = useState<Span>(LAST_DAY)
  const span_ms = span.ms
  const read = useRead(['deliveries', webhook.id, 'failed', span_ms], (store) =>
    readFailedIds(store, webhook.id, span_ms),
  )
  const { progress, send, stop } = useSending(webhook.id)
  const lead = fill(webhooks.resendFailedLead, { max: formatNumber(PAGE_SIZE * PAGES_MAX) })
  return (
    <div className="form">
      <p>{lead}</p>
      <fieldset className="field" disabled={progress?.isRunning}>
        <legend>{webhooks.failedSince}</legend>
        {SPANS.map((choice) => (
          <label key={choice.label}>
            <input
              type="radio"
              name="span"
              checked={span === choice}
              onChange={() => setSpan(choice)}
            />{' '}
            {choice.label}
          </label>
        ))}
      </fieldset>
      <Loaded read={read} rows={1}>
        {(ids) => (
          <>
            <p role="status">{progress ? progressText(progress) : failedText(ids.length)}</p>
            <div className="form-end">
              {progress?.isRunning ? (
                <button type="button" onClick={stop}>
                  {webhooks.stopSending}
                </button>
              ) : (
                progress === undefined && (
                  <button
                    type="button"
                    className="primary"
                    disabled={ids.length === 0}
                    onClick={() => send(newRun(ids))}
                  >
                    {fill(webhooks.sendThem, { n: formatNumber(ids.length) })}
                  </button>
                )
              )}
            </div>
            {/* The first of the calls, and the command for all deliveries that failed in this time. */}
            <ApiCall
              make={() => ({
                ...storeRequest('events', 'resend', ids[0] ?? 0),
                command: `webhooks resend --failed-since ${span.option} --samples --endpoint ${webhook.id}`,
              })}
            />
          </>
        )}
      </Loaded>
    </div>
  )
}

const failedText = (count: number) =>
  countText(count, webhooks.failedCountOne, webhooks.failedCount)
const progressText = ({ done, total, failed, startedAt, isRunning }: Progress) => {
  const numbers = {
    done: formatNumber(done),
    total: formatNumber(total),
    failed: formatNumber(failed),
  }
  const text = fill(webhooks.resendProgress, numbers)
  return isRunning ? `${text} ${remainingTimeText({ startedAt, done, total })}` : text
}

const newRun = (ids: readonly number[]): Run => ({
  ids,
  done: 0,
  failed: 0,
  total: ids.length,
  startedAt: Date.now(),
})

function useSending(webhookId: string) {
  const store = useStore()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  const stored = storedRun(webhookId)
  const send = async (firstRun: Run) => {
    isStopped.current = false
    let run = firstRun
    setProgress({ ...run, isRunning: true })
    for (const id of firstRun.ids) {
      if (isStopped.current) break
      stored.save({ ...run, saved_at: Date.now() })
      const hasSucceeded = await resend(store, id)
      const { ids, done, failed } = run
      run = { ...run, ids: ids.slice(1), done: done + 1, failed: failed + (hasSucceeded ? 0 : 1) }
      setProgress({ ...run, isRunning: true })
    }
    stored.remove()
    setProgress({ ...run, isRunning: false })
    void queries.invalidateQueries({ queryKey: [store.id, 'events'] })
    void queries.invalidateQueries({ queryKey: [store.id, 'webhooks'] })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run of a former page continues once.
  useEffect(() => {
    const run = stored.read()
    // The time between the two pages does not count.
    if (run) void send({ ...run, startedAt: Date.now() - (run.saved_at - run.startedAt) })
    // Closing the dialog stops the run, because its progress would be invisible.
    return () => {
      isStopped.current = true
    }
  }, [])
  return {
    progress,
    send,
    stop: () => {
      isStopped.current = true
    },
  }
}

/**
 * Sends a delivery again; returns false if it failed again. A delivery with an attempt under way is
 * left to its schedule.
 */
async function resend({ api }: StoreContext, id: number): Promise<boolean> {
  try {
    return (await api.events.resend(id)).result.ok
  } catch (error) {
    if (error instanceof TradepostError) return error.code === 'DELIVERY_IN_PROGRESS'
    throw error
  }
}
