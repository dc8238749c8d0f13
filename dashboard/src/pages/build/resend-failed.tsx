import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type StoreContext,
  TradepostError,
  useRead,
  useStore,
  type Webhook,
} from '../../api/store.ts'
import { Modal } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { webhooks } from '../../text/webhooks.ts'

const HOUR_MS = 3_600_000
const SPANS = [
  { label: webhooks.lastHour, ms: HOUR_MS },
  { label: webhooks.lastDay, ms: 24 * HOUR_MS },
  { label: webhooks.lastWeek, ms: 168 * HOUR_MS },
]
const PAGE = 100
const PAGES_MAX = 10

/** The deliveries whose newest attempt failed, given up or still on their schedule; the oldest first. */
async function failedOf(
  { api }: StoreContext,
  webhookId: string,
  since_ms: number,
): Promise<number[]> {
  const ids: number[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const { deliveries, pagination } = await api.events.deliveries({
      webhook_id: webhookId,
      status: ['failed', 'pending'],
      created_from: new Date(Date.now() - since_ms).toISOString(),
      limit: PAGE,
      offset: page * PAGE,
    })
    const failed = deliveries.filter(({ status, attempts }) => status === 'failed' || attempts > 0)
    ids.push(...failed.map(({ id }) => id))
    if (!pagination.has_more) break
  }
  return ids.reverse()
}

interface Progress {
  done: number
  failed: number
  total: number
  isRunning: boolean
}

/**
 * Resends deliveries that failed since a moment, one after the other, until all are done or it is
 * stopped.
 */
export function ResendFailed({ of }: { of: Webhook }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {webhooks.resendFailed}
      </button>
      <Modal title={webhooks.resendFailed} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Choice of={of} />
      </Modal>
    </>
  )
}

function Choice({ of }: { of: Webhook }) {
  const [span, setSpan] = useState(1)
  const since_ms = SPANS[span]?.ms ?? HOUR_MS
  const read = useRead(['deliveries', of.id, 'failed', since_ms], (store) =>
    failedOf(store, of.id, since_ms),
  )
  const { progress, send, stop } = useSending()
  const lead = fill(webhooks.resendFailedLead, { max: formatNumber(PAGE * PAGES_MAX) })
  return (
    <div className="form">
      <p>{lead}</p>
      <fieldset className="field" disabled={progress?.isRunning}>
        <legend>{webhooks.failedSince}</legend>
        {SPANS.map(({ label }, index) => (
          <label key={label}>
            <input
              type="radio"
              name="span"
              checked={span === index}
              onChange={() => setSpan(index)}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <Loaded read={read} rows={1}>
        {(ids) => (
          <>
            <p role="status">{progress ? progressText(progress) : countText(ids.length)}</p>
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
                    onClick={() => send(ids)}
                  >
                    {fill(webhooks.sendThem, { n: formatNumber(ids.length) })}
                  </button>
                )
              )}
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

const countText = (count: number) => fill(webhooks.failedCount, { n: formatNumber(count) })
const progressText = ({ done, total, failed }: Progress) =>
  fill(webhooks.resendProgress, {
    done: formatNumber(done),
    total: formatNumber(total),
    failed: formatNumber(failed),
  })

function useSending() {
  const store = useStore()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  // A closed dialog stops: its progress would be invisible.
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const send = async (ids: readonly number[]) => {
    isStopped.current = false
    let failed = 0
    let done = 0
    const show = (isRunning: boolean) => setProgress({ done, failed, total: ids.length, isRunning })
    show(true)
    for (const id of ids) {
      if (isStopped.current) break
      if (!(await arrives(store, id))) failed++
      done++
      show(true)
    }
    show(false)
    void queries.invalidateQueries({ queryKey: [store.id, 'events'] })
    void queries.invalidateQueries({ queryKey: [store.id, 'webhooks'] })
  }
  return {
    progress,
    send,
    stop: () => {
      isStopped.current = true
    },
  }
}

/** False if it failed again. What is on its way already is left to its schedule. */
async function arrives({ api }: StoreContext, id: number): Promise<boolean> {
  try {
    return (await api.events.resend(id)).result.ok
  } catch (error) {
    if (error instanceof TradepostError) return error.code === 'DELIVERY_IN_PROGRESS'
    throw error
  }
}
