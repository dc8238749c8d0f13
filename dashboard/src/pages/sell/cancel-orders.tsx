import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type ListedOrder, type StoreContext, TradepostError, useStore } from '../../api/store.ts'
import { FieldInput } from '../../kit/fields.tsx'
import { ApiCall } from '../../kit/form.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { remainingTimeText } from '../../kit/long-work.ts'
import { Modal } from '../../kit/modal.tsx'
import { countText, listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders as text } from '../../text/orders.ts'

const CANCELLABLE: readonly string[] = ['pending', 'manual_review']

/** True for orders that can be cancelled: nothing was paid, and they have not ended. */
const canCancel = ({ status, paid_cents }: ListedOrder): boolean =>
  CANCELLABLE.includes(status) && paid_cents === 0

interface BarProps {
  selected: readonly ListedOrder[]
  /** The orders of the page. */
  shown: readonly ListedOrder[]
  /** Called with the orders that stay selected, such as those that could not be cancelled. */
  select(orders: readonly ListedOrder[]): void
  /** Further buttons. */
  children?: ReactNode
}

/** The number of selected orders, and the buttons that act on them. */
export function SelectedOrders({ selected, shown, select, children }: BarProps) {
  const [isOpen, setOpen] = useState(false)
  // The dialog keeps its orders while it runs, because those that were cancelled leave the list.
  const [orders, setOrders] = useState<readonly ListedOrder[]>([])
  if (selected.length === 0 && !isOpen) return null
  const elsewhere = selected.filter(({ id }) => shown.every((order) => order.id !== id)).length
  const cancellable = selected.filter(canCancel)
  const label = (count: number) => countText(count, text.cancelOne, text.cancelMany)
  return (
    <section className="selection-bar" aria-label={text.chosenOrders}>
      <span role="status">
        {countText(selected.length, text.oneChosen, text.manyChosen)}
        {elsewhere > 0 && `, ${fill(text.chosenElsewhere, { n: formatNumber(elsewhere) })}`}
      </span>
      {cancellable.length > 0 && (
        <button
          type="button"
          className="danger-outlined"
          aria-haspopup="dialog"
          onClick={() => {
            setOrders(cancellable)
            setOpen(true)
          }}
        >
          {label(cancellable.length)}
        </button>
      )}
      {cancellable.length === 0 && <span className="secondary-text">{text.noneToCancel}</span>}
      {children}
      <button type="button" onClick={() => select([])}>
        {text.chooseNone}
      </button>
      <Modal title={label(orders.length)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <CancelForm
          orders={orders}
          select={(left) => select([...selected.filter((order) => !canCancel(order)), ...left])}
          close={() => setOpen(false)}
        />
      </Modal>
    </section>
  )
}

interface CancelFormProps {
  orders: readonly ListedOrder[]
  select(orders: readonly ListedOrder[]): void
  close(): void
}

function CancelForm({ orders, select, close }: CancelFormProps) {
  const [reason, setReason] = useState('')
  const { progress, run, stop } = useCancellation(select)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(orders, reason)
  }
  const isEnded = progress !== undefined && !progress.isRunning
  return (
    <form className="form" onSubmit={submit}>
      <p>{consequence(orders)}</p>
      {progress === undefined && (
        <FieldInput
          field={{ name: 'reason', label: common.reason }}
          value={reason}
          error={undefined}
          onChange={(value) => setReason(String(value))}
        />
      )}
      <p role="status">
        {progress &&
          fill(text.cancelProgress, {
            done: formatNumber(progress.answerCount - progress.failures.length),
            total: formatNumber(orders.length),
          })}{' '}
        {progress?.isRunning &&
          remainingTimeText({
            startedAt: progress.startedAt,
            done: progress.answerCount,
            total: orders.length,
          })}
      </p>
      {progress && progress.failures.length > 0 && <Failures failures={progress.failures} />}
      <div className="form-end">
        {progress === undefined && (
          <>
            <button type="submit" className="danger">
              {countText(orders.length, text.cancelOne, text.cancelMany)}
            </button>
            <button type="button" onClick={close}>
              {text.keepThem}
            </button>
          </>
        )}
        {progress?.isRunning && (
          <button type="button" onClick={stop}>
            {text.stopCancelling}
          </button>
        )}
        {isEnded && (
          <button type="button" className="primary" onClick={close}>
            {common.close}
          </button>
        )}
      </div>
      {orders[0] && <ApiCall make={() => cancelRequest(orders[0] as ListedOrder, reason)} />}
    </form>
  )
}

const Failures = ({ failures }: { failures: readonly RefusedOrder[] }) => (
  <div className="failure" role="alert">
    <p>{text.notCancelled}</p>
    <ul>
      {failures.map(({ order, message }) => (
        <li key={order.id}>
          #{order.number}: {message}
        </li>
      ))}
    </ul>
  </div>
)

/** The consequence of cancelling: the unpaid amounts, and the units that are released. */
function consequence(orders: readonly ListedOrder[]): string {
  const sums = new Map<string, number>()
  let units = 0
  for (const { currency, total_cents, items } of orders) {
    sums.set(currency, (sums.get(currency) ?? 0) + total_cents)
    for (const { quantity } of items) units += quantity
  }
  return fill(text.cancelManyLead, {
    n: formatNumber(orders.length),
    amount: listAnd([...sums].map(([currency, cents]) => formatMoney(cents, currency))),
    units: formatNumber(units),
  })
}

interface RefusedOrder {
  order: ListedOrder
  message: string
}

interface Progress {
  /** The number of answers, refusals included. */
  answerCount: number
  failures: readonly RefusedOrder[]
  isRunning: boolean
  /** The time at which the first request was sent, in milliseconds since 1970. */
  startedAt: number
}

/** Cancels orders one after the other. A refused order does not stop the others. */
function useCancellation(select: CancelFormProps['select']) {
  const store = useStore()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  // Closing the dialog stops the run, because its progress would be invisible.
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])
  const run = async (orders: readonly ListedOrder[], reason: string) => {
    const failures: RefusedOrder[] = []
    let answerCount = 0
    const startedAt = Date.now()
    const show = (isRunning: boolean) =>
      setProgress({ answerCount, failures: [...failures], isRunning, startedAt })
    show(true)
    for (const order of orders) {
      if (isStopped.current) break
      const message = await cancel(store, order, reason)
      if (message !== undefined) failures.push({ order, message })
      answerCount++
      show(true)
    }
    show(false)
    select([...failures.map(({ order }) => order), ...orders.slice(answerCount)])
    for (const area of ['orders', 'stock', 'counts']) {
      void queries.invalidateQueries({ queryKey: [store.id, area] })
    }
  }
  return {
    progress,
    run,
    stop: () => {
      isStopped.current = true
    },
  }
}

/** The request that cancels one order. There is no operation for several. */
const cancelRequest = ({ id }: ListedOrder, reason: string) =>
  storeRequest('orders', 'cancel', id, reason.trim() === '' ? {} : { reason: reason.trim() })

/** Returns the reason if the order could not be cancelled. */
async function cancel(
  store: StoreContext,
  order: ListedOrder,
  reason: string,
): Promise<string | undefined> {
  try {
    await cancelRequest(order, reason).send(store)
    return undefined
  } catch (error) {
    if (error instanceof TradepostError) return error.message
    throw error
  }
}
